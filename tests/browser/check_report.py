#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens a report in Debian's chromium and checks what a reader would meet.

usage: check_report.py WRITER [--screenshots FOLDER]

WRITER is the program that writes an example report into a folder, and others into folders inside it. Checked at the widths of a
phone and of a desk, light and dark: the verdict and three figures are there and have a size,
nothing but the file itself is requested, nothing is logged on the console, and the page is
not wider than the screen. A page with all these faults must be caught as well. Chromium is
driven through its debugging pipe, so Python's standard library is enough. Returns 77 (skipped)
where chromium is not installed.
"""
import argparse
import base64
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

WIDTHS = (360, 1200)
SCHEMES = ("light", "dark")
TIME_LIMIT = 60  # seconds for one answer
FAULTY_PAGE = """<!doctype html><title>faulty</title><body style="background:white"><div style="width:2000px">wide</div>
<img src="http://alo.invalid/picture.png"><script>console.error("a fault"); undefined_name();</script>"""


class Browser:
    """One headless chromium, spoken to over --remote-debugging-pipe (messages end with NUL)."""

    def __init__(self, program, profile):
        to_browser, self.send_to = os.pipe()
        self.receive_from, from_browser = os.pipe()
        # Chromium reads descriptor 3 and writes 4; high copies keep dup2 from overwriting one.
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={profile}",
                 "--remote-debugging-pipe", "about:blank"]
        command = f'exec {program} "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(["bash", "-c", command, "bash", *flags], pass_fds=(to_browser, from_browser),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.events = []
        self.number = 0

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            wait = deadline - time.monotonic()
            if wait <= 0 or not select.select([self.receive_from], [], [], wait)[0]:
                raise TimeoutError("chromium does not answer")
            chunk = os.read(self.receive_from, 1 << 16)
            if not chunk:
                raise RuntimeError("chromium ended early")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.send_to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + TIME_LIMIT
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, event):
        deadline = time.monotonic() + TIME_LIMIT
        while not any(seen.get("method") == event for seen in self.events):
            self.events.append(self.receive(deadline))

    def close(self):
        self.process.terminate()
        self.process.wait()
        try:  # its helper processes may outlive it
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.send_to)
        os.close(self.receive_from)


MEASURE = """JSON.stringify({
  verdict: (document.getElementById('verdict') || {}).innerText || '',
  figures: [...document.querySelectorAll('svg')].map(f => [f.getBoundingClientRect().width, f.getBoundingClientRect().height]),
  scripts: document.scripts.length, width: document.documentElement.scrollWidth, screen: window.innerWidth,
  text: Math.min(...[...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height)),
  outside: [...document.querySelectorAll('svg text')].filter(t => {
    const box = t.getBoundingClientRect(), page = t.ownerSVGElement.getBoundingClientRect();
    return box.left < page.left - 1 || box.right > page.right + 1 || box.top < page.top - 1 || box.bottom > page.bottom + 1;
  }).map(t => t.textContent),
  ground: getComputedStyle(document.body || document.documentElement).backgroundColor})"""


def visit(browser, address, width, scheme, picture=None):
    """What a page shows, asks for and logs at one width and colour scheme."""
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Network", "Runtime", "Log"):
        browser.call(f"{domain}.enable", session)
    browser.call("Emulation.setDeviceMetricsOverride", session, width=width, height=800, deviceScaleFactor=2,
                 mobile=width < 600)
    browser.call("Emulation.setEmulatedMedia", session, features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.events = []
    browser.call("Page.navigate", session, url=address)
    browser.wait_for("Page.loadEventFired")
    page = json.loads(browser.call("Runtime.evaluate", session, expression=MEASURE)["result"]["value"])
    if picture:
        shot = browser.call("Page.captureScreenshot", session, format="png", captureBeyondViewport=True)
        picture.write_bytes(base64.b64decode(shot["data"]))
    requests, logged = [], []
    for event in browser.events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            requests.append(parameters["request"]["url"])
        elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            logged.append(json.dumps(parameters)[:2000])
    browser.call("Target.closeTarget", targetId=target)
    return page, requests, logged


def faults(page, requests, logged, scheme):
    found = [f"requests {url}" for url in requests if not url.startswith(("file:", "data:"))]
    found += [f"logs {entry}" for entry in logged]
    if page["width"] > page["screen"]:
        found.append(f"is {page['width']} px wide on a screen of {page['screen']} px")
    if "\u03bb" not in page["verdict"]:
        found.append("has no verdict")
    if len(page["figures"]) != 3 or any(min(size) < 200 for size in page["figures"]):
        found.append(f"does not show three figures: {page['figures']}")
    elif page["text"] < 7:
        found.append(f"has figure text of only {page['text']:.1f} px")
    if page["outside"]:
        found.append(f"has text outside its figure: {page['outside']}")
    if page["scripts"]:
        found.append("holds a script")
    dark = sum(int(part) for part in page["ground"].strip("rgba()").split(",")[:3]) < 300
    if dark != (scheme == "dark"):
        found.append(f"has the ground {page['ground']} in the {scheme} scheme")
    return found


def check_browser(browser, folder, pictures):
    found = []
    for report in sorted(folder.rglob("report.html")):
        name = str(report.relative_to(folder).with_suffix("")).replace("/", "-")
        for width in WIDTHS:
            for scheme in SCHEMES:
                picture = pictures / f"{name}-{width}-{scheme}.png" if pictures else None
                result = visit(browser, report.as_uri(), width, scheme, picture)
                found += [f"{name} ({width} px, {scheme}) {fault}" for fault in faults(*result, scheme)]
    for name in ("risk", "paths", "leverage"):
        figure = folder / f"{name}.svg"
        xml.dom.minidom.parse(str(figure))
        for scheme in SCHEMES:
            picture = pictures / f"{name}-{scheme}.png" if pictures else None
            _, requests, logged = visit(browser, figure.as_uri(), 720, scheme, picture)
            found += [f"{name}.svg {fault}" for fault in logged + [url for url in requests if not url.startswith("file:")]]
    (folder / "faulty.html").write_text(FAULTY_PAGE)
    caught = "\n".join(faults(*visit(browser, (folder / "faulty.html").as_uri(), 360, "dark"), "dark"))
    for sign in ("requests http", "a fault", "undefined_name", "px wide", "no verdict", "three figures", "script", "ground"):
        if sign not in caught:
            found.append(f"the check misses a fault: {sign}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("writer")
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    chromium = shutil.which("chromium")
    if not chromium:
        print("skipped: chromium is not installed (apt install chromium)")
        return 77
    # What a dying browser still writes into its profile must not fail the test.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        folder = pathlib.Path(scratch) / "report"
        subprocess.run([arguments.writer, str(folder)], check=True, stdout=subprocess.DEVNULL)
        browser = Browser(chromium, pathlib.Path(scratch) / "profile")
        try:
            found = check_browser(browser, folder, arguments.screenshots)
        finally:
            browser.close()
    for fault in found:
        print(fault)
    print("failed" if found else "the report renders, requests nothing, logs nothing and fits the screen")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
