"""What a page draws of categories, series and histograms in two dimensions."""


from node import Node
from viewing import with_job


def categories_and_series_are_drawn(browser):
    tab = with_job(browser, Node())
    tab.click("#runs button")
    tab.until_text("#report", "packets by then")
    # A part of all has a bar, and no other reading has one. A series is a line through its times, in a band.
    bars = tab.evaluate("[...document.querySelectorAll('#report .reading > .bar')].filter((one) => !one.hidden)"
                        ".map((one) => one.firstChild.style.width)")
    assert bars == ["25%"], bars
    curve = tab.evaluate("[...document.querySelectorAll('#report svg')].filter((one) => one.getAttribute('aria-label') ==="
                         " 'Curve of packets by then').map((one) => ['polyline.value', 'polygon.band'].map((part) =>"
                         " one.querySelector(part).getAttribute('points').split(' ').length))")
    assert curve == [[4, 6]], curve
    # The highest y is at the top, and the cell that holds the most is the darkest.
    cells = tab.evaluate("[...document.querySelectorAll('#report svg[aria-label=\"Map of first and last\"] rect.bin')].map((one) =>"
                         " ['x', 'y', 'width', 'fill-opacity'].map((name) => Number(one.getAttribute(name))))")
    assert [round(cell[3], 3) for cell in cells] == [0.128, 0.55, 0.325, 1], cells
    assert cells[0][1] > cells[2][1] == cells[3][1] and cells[0][0] < cells[2][0] < cells[3][0] == cells[1][0], cells
    assert "darkest: 160; 1\u202f234 outside" in tab.text("#report").replace("\u00a0", "\u202f")
