"""Drives Firefox by its Marionette protocol, in the words of Chromium's that `Tab` uses."""
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading

from browser import PATIENCE

# The preferences of a browser that asks nothing, fetches nothing by itself and takes commands at a port of its choice.
PREFERENCES = {
    "marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.update.disabledForTesting": True, "app.normandy.enabled": False, "browser.safebrowsing.downloads.enabled": False,
    "browser.aboutwelcome.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "extensions.getAddons.cache.enabled": False,
    "services.settings.server": "data:,nothing", "browser.topsites.contile.enabled": False,
    "nimbus.enabled": False, "browser.newtabpage.enabled": False,
}

# What turns parts of Chromium's protocol on. A window comes to the front whenever it is told something.
NEEDLESS = {"Page.enable", "Runtime.enable", "Log.enable", "Page.bringToFront"}
# A file of the page. As a document, it has the page's storage.
ELSEWHERE = "style.css"
# The letters that stand for keys without one.
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", " ": " "}


class Firefox:
    # Its tabs are at a secure context, as those of people who open the page on the host itself are.
    address = "127.0.0.1"

    def __init__(self, program="firefox-esr"):
        self.folder = tempfile.mkdtemp(prefix="potluck-firefox-")
        with open(os.path.join(self.folder, "user.js"), "w", encoding="utf-8") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.folder], start_new_session=True,
            env={**os.environ, "HOME": self.folder, "MOZ_HEADLESS_WIDTH": "2000", "MOZ_HEADLESS_HEIGHT": "1400"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.events = []
        # The scripts to run before the next document of each tab.
        self.before = {}
        self.lock, self.numbers, self.shown = threading.RLock(), itertools.count(1), None
        port = next((int(line.rsplit(None, 1)[1]) for line in self.process.stdout if "Listening on port" in line), None)
        assert port, "Firefox does not listen"
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.link = socket.create_connection(("127.0.0.1", port), 3 * PATIENCE)
        self.replies = self.link.makefile("rb")
        self.take()
        self.say("WebDriver:NewSession")
        self.say("WebDriver:SetTimeouts", script=int(3000 * PATIENCE), pageLoad=int(3000 * PATIENCE))

    def take(self):
        length = b""
        while (letter := self.replies.read(1)) != b":":
            assert letter, "Firefox has ended"
            length += letter
        return json.loads(self.replies.read(int(length)))

    def say(self, command, **parameters):
        with self.lock:
            text = json.dumps([0, next(self.numbers), command, parameters]).encode()
            self.link.sendall(b"%d:%s" % (len(text), text))
            _, _, error, result = self.take()
        if error:
            raise AssertionError(f"{command}: {error['message']}")
        return result

    def prefer(self, name, value):
        """Sets a preference while it runs."""
        self.say("Marionette:SetContext", value="chrome")
        try:
            self.say("WebDriver:ExecuteScript", script="Services.prefs.setIntPref(arguments[0], arguments[1])", args=[name, value])
        finally:
            self.say("Marionette:SetContext", value="content")

    def call(self, method, session=None, **parameters):
        """Does what this method of Chromium's protocol does."""
        with self.lock:
            if session and session != self.shown:
                self.say("WebDriver:SwitchToWindow", handle=session, focus=True)
                self.shown = session
            return {} if method in NEEDLESS else getattr(self, method.replace(".", "_"))(**parameters)

    def Target_createTarget(self, url):
        return {"targetId": self.say("WebDriver:NewWindow", type="window")["handle"]}

    def Target_attachToTarget(self, targetId, flatten):
        return {"sessionId": targetId}

    def Target_closeTarget(self, targetId):
        self.say("WebDriver:SwitchToWindow", handle=targetId)
        # The first window stays, so that closing a tab never ends the browser.
        self.shown, *_ = self.say("WebDriver:CloseWindow")
        self.say("WebDriver:SwitchToWindow", handle=self.shown)
        return {}

    def Page_navigate(self, url):
        # Marionette runs no script before a page's own ones. What the page finds in its storage is put there by another
        # document of its server.
        scripts = self.before.pop(self.shown, [])
        if scripts:
            self.say("WebDriver:Navigate", url=re.match(r"http://[^/]*/", url).group() + ELSEWHERE)
            for script in scripts:
                self.value(script)
        return self.say("WebDriver:Navigate", url=url)

    def Page_reload(self):
        return self.say("WebDriver:Refresh")

    def Page_captureScreenshot(self, format, captureBeyondViewport):
        return {"data": self.say("WebDriver:TakeScreenshot", full=captureBeyondViewport)["value"]}

    def Page_addScriptToEvaluateOnNewDocument(self, source):
        self.before.setdefault(self.shown, []).append(source)
        return {}

    def Emulation_setDeviceMetricsOverride(self, width, height, **_):
        for _ in range(2):
            # The window has more than the page: bars and edges.
            inner = self.value("[innerWidth, innerHeight]")
            outer = self.say("WebDriver:GetWindowRect")
            self.say("WebDriver:SetWindowRect", width=outer["width"] + width - inner[0], height=outer["height"] + height - inner[1])
        return {}

    def Emulation_setEmulatedMedia(self, features):
        wanted = {feature["name"]: feature["value"] for feature in features}
        self.prefer("layout.css.prefers-color-scheme.content-override", 0 if wanted["prefers-color-scheme"] == "dark" else 1)
        self.prefer("ui.prefersReducedMotion", 1 if wanted["prefers-reduced-motion"] == "reduce" else 0)
        return {}

    def Input_insertText(self, text):
        for letter in text:
            self.Input_dispatchKeyEvent("keyDown", letter)
        return {}

    def Input_dispatchKeyEvent(self, type, key, **_):
        """Presses a key and lets it go again."""
        if type == "keyDown":
            letter = KEYS.get(key, key)
            self.say("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": [
                {"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter}]}])
        return {}

    def Accessibility_getFullAXTree(self):
        # Chromium's tells which element has no name.
        return {"nodes": []}

    def Runtime_evaluate(self, expression, awaitPromise, returnByValue):
        return {"result": {"value": self.value(expression)}}

    def value(self, expression):
        script = ("const done = arguments[1]; (async () => eval(arguments[0]))().then("
                  "(value) => done([value === undefined ? null : value]), (error) => done(String(error)))")
        answer = self.say("WebDriver:ExecuteAsyncScript", script=script, args=[expression], sandbox=None)["value"]
        if answer is None:
            raise AssertionError(f"{expression}: the document was unloaded")
        if isinstance(answer, str):
            raise AssertionError(f"{expression}: {answer}")
        return answer[0]

    def stop(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
