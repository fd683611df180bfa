"""Drives Chromium by the DevTools protocol over pipes."""
import base64
import glob
import json
import os
import shutil
import subprocess
import tempfile
import threading

# How long a test waits for the browser or a node before it fails, in seconds. A busy machine needs a multiple, as in
# Tests/Lab.
PATIENCE = 20 * max(1.0, float(os.environ.get("POTLUCK_LAB_PATIENCE") or 1))
# The address that the browser takes the node for: one of a local network, which is no secure context.
ADDRESS = "192.168.178.34"


class Tab:
    """One page of the browser, with a session storage of its own."""

    def __init__(self, browser, width=1280, height=900, scheme="light"):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.look(width, height, scheme)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def look(self, width, height, scheme="light", motion="no-preference"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def open(self, node, ticket, query="", remembered=None):
        """Opens the page of a node. `remembered` is what the tab's storage has from before."""
        if remembered:
            lines = [f"sessionStorage.setItem('potluck {key}', {json.dumps(value)})" for key, value in remembered.items()]
            self.call("Page.addScriptToEvaluateOnNewDocument", source=f"if (!sessionStorage.length) {{ {'; '.join(lines)} }}")
        fragment = ticket if isinstance(ticket, str) else node.fragment(ticket)
        url = f"http://{self.browser.address}:{node.port}/{query}{fragment}"
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.port !== ''")
        return url

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, condition, patience=PATIENCE):
        """Waits until an expression is true in the page."""
        script = ("new Promise((resolve) => { const end = performance.now() + %d; const look = () => (%s) ? resolve(true) : "
                  "performance.now() > end ? resolve(false) : setTimeout(look, 15); look(); })")
        try:
            holds = self.evaluate(script % (patience * 1000, condition))
        except AssertionError as error:
            # Another page was opened meanwhile; the condition is about that one.
            if not any(word in str(error) for word in ("navigated", "context", "unloaded")):
                raise
            return self.until(condition, patience)
        if not holds:
            text = self.evaluate("document.body.innerText")
            raise AssertionError(f"not within {patience} s: {condition}\nThe page says:\n{text}")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def until_text(self, selector, part):
        self.until(f"document.querySelector({json.dumps(selector)})?.innerText.includes({json.dumps(part)})")

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def screenshot(self, path, is_whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """Errors that the page logged, among them violations of the policy."""
        return [event for event in self.browser.events if event.get("sessionId") == self.session and (
            event["method"] == "Runtime.exceptionThrown"
            or event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"
            and "WebSocket" not in event["params"]["entry"]["text"])]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


class Browser:
    address = ADDRESS

    def __init__(self, program="chromium"):
        self.folder = tempfile.mkdtemp(prefix="potluck-page-")
        ours, theirs = os.pipe(), os.pipe()
        # Chromium reads commands from descriptor 3 and writes answers to 4. The pipes may have these numbers already.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{ours[0]} 4>&{theirs[1]}', program, "--headless=new", "--no-sandbox",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "--disable-gpu", "--hide-scrollbars",
             f"--host-resolver-rules=MAP {ADDRESS} 127.0.0.1", "--disable-background-networking",
             "--disable-dev-shm-usage", "--force-color-profile=srgb", "about:blank"],
            pass_fds=[ours[0], theirs[1]], start_new_session=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.commands, self.answers = os.fdopen(ours[1], "wb", buffering=0), os.fdopen(theirs[0], "rb")
        self.number, self.results, self.events = 0, {}, []
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest = b""
        while (data := self.answers.read1(65536)):
            *messages, rest = (rest + data).split(b"\0")
            with self.changed:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self.results[message["id"]] = message
                    else:
                        self.events.append(message)
                self.changed.notify_all()

    def call(self, method, session=None, **parameters):
        with self.changed:
            self.number += 1
            number = self.number
            message = {"id": number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            self.commands.write(json.dumps(message).encode() + b"\0")
            if not self.changed.wait_for(lambda: number in self.results, 3 * PATIENCE):
                raise AssertionError(f"no answer to {method}")
            answer = self.results.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def seconds(self):
        """The CPU time of all its processes so far."""
        total = 0
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path, encoding="utf-8") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == self.process.pid:
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
