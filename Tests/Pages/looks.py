"""Checks of how the page looks on a projector, a phone and a desk: what is read from afar, what fits, what has contrast."""
import os
import subprocess

from browser import ADDRESS, Tab
from node import Node
from viewing import KNOWN, with_job


def cameras_read_the_projector(browser, folder):
    node = Node()
    for width, scheme in ((1280, "light"), (1920, "dark")):
        height = width * 9 // 16
        tab = with_job(browser, node, query="?projector", size=(width, height, scheme))
        path = os.path.join(folder, f"projector-{width}-{scheme}.png")
        tab.screenshot(path)
        done = subprocess.run(["zbarimg", "-q", "--raw", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = f"http://{ADDRESS}:{node.port}/{node.fragment(node.viewing)}"
        # The code has the ticket without the hyphens, which are for people.
        start = address.index("#")
        assert done.stdout.strip() == address[:start] + address[start:].replace("-", ""), done.stdout
        assert tab.text("#address") == address
        assert tab.evaluate("document.documentElement.scrollHeight <= innerHeight"), "it has to be scrolled"
        largest = tab.evaluate("Math.min(...[...document.querySelectorAll('.figure')].map((one) => parseFloat(getComputedStyle(one).fontSize)))")
        assert largest > height / 12, largest
        assert "ana" in tab.text("#members") and tab.evaluate("document.querySelector('#rename').checkVisibility()") is False
        tab.click("#project")
        tab.until("document.querySelector('#rename').checkVisibility()")


def it_fits_every_screen(browser, folder):
    node = Node()
    for width, height in ((390, 844), (1280, 800), (1920, 1080), (3840, 2160)):
        for scheme in ("light", "dark"):
            tab = with_job(browser, node, ticket=node.lending, size=(width, height, scheme))
            if width < 3840:
                tab.screenshot(os.path.join(folder, f"page-{width}-{scheme}.png"), is_whole=True)
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{width}: it is too wide"
            weak = tab.evaluate(CONTRASTS)
            assert weak == [], f"{scheme}: {weak}"
            tab.close()
    tab = Tab(browser)
    tab.look(1280, 800, motion="reduce")
    tab.open(node, node.viewing, remembered=KNOWN)
    assert tab.evaluate("getComputedStyle(document.querySelector('.bar > div')).transitionDuration") == "0s"


# Texts whose contrast to what is behind them is below 4.5.
CONTRASTS = """(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => { for (; element; element = element.parentElement) {
    const colour = numbers(getComputedStyle(element).backgroundColor); if ((colour[3] ?? 1) > 0) return colour; } return [255, 255, 255]; };
  return [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() &&
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).flatMap((one) => {
      const style = getComputedStyle(one), ink = numbers(one instanceof SVGElement ? style.fill : style.color), back = ground(one);
      const [high, low] = [light(ink), light(back)].sort((a, b) => b - a), ratio = (high + 0.05) / (low + 0.05);
      return ratio < 4.5 ? [[one.textContent, ratio]] : []; });
})()"""
