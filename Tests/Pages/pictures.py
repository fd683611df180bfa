"""What a page draws of categories and series."""


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
