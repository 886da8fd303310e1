// SPDX-License-Identifier: MIT
// Chromium by its DevTools protocol over a pipe: what puppeteer would do for us, in a page of
// code and without its packages.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const PATIENCE = 30000; // milliseconds for one answer

export class Browser {
  static async open(program) {
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), "imsat-chromium-"));
    browser.process = spawn(program, [
      "--headless", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
      "--no-first-run", "--disable-background-networking", "--disable-component-update",
      "--disable-dev-shm-usage", ...(process.getuid() === 0 ? ["--no-sandbox"] : []),
      `--user-data-dir=${browser.folder}`, "about:blank"
    ], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    browser.waiting = new Map();
    browser.listeners = [];
    browser.last = 0;
    browser.ended = new Promise((done) => browser.process.once("exit", done));
    let rest = "";
    browser.process.stdio[4].setEncoding("utf8");
    browser.process.stdio[4].on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      messages.forEach((message) => browser.receive(JSON.parse(message)));
    });
    return browser;
  }

  receive(message) {
    const wait = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (wait && message.error)
      wait.fail(new Error(`${wait.method}: ${message.error.message}`));
    else if (wait)
      wait.done(message.result);
    else
      this.listeners.forEach((listener) => listener(message));
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
    return new Promise((done, fail) => {
      const late = setTimeout(() => fail(new Error(`${method}: no answer`)), PATIENCE);
      this.waiting.set(id, {
        method,
        done: (result) => { clearTimeout(late); done(result); },
        fail: (error) => { clearTimeout(late); fail(error); }
      });
    });
  }

  async close() {
    await this.send("Browser.close").catch(() => this.process.kill());
    await this.ended;
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 5});
  }
}

/* A tab, and what went wrong in it: errors of scripts and of the console, and requests. */
export class Tab {
  static async open(browser, {scheme = "light", scripts = true, width = 1200} = {}) {
    const tab = new Tab();
    const {targetId} = await browser.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await browser.send("Target.attachToTarget", {targetId, flatten: true});
    Object.assign(tab, {browser, targetId, sessionId, troubles: [], requests: []});
    browser.listeners.push((message) => message.sessionId === sessionId && tab.hear(message));
    for (const domain of ["Page", "Runtime", "Log", "Network", "DOM"])
      await tab.send(`${domain}.enable`);
    await tab.send("Emulation.setEmulatedMedia",
      {features: [{name: "prefers-color-scheme", value: scheme}]});
    await tab.send("Emulation.setDeviceMetricsOverride",
      {width, height: 900, deviceScaleFactor: 1, mobile: false});
    await tab.send("Emulation.setScriptExecutionDisabled", {value: !scripts});
    return tab;
  }

  hear({method, params}) {
    if (method === "Runtime.exceptionThrown")
      this.troubles.push(params.exceptionDetails.exception?.description ??
        params.exceptionDetails.text);
    else if (method === "Runtime.consoleAPICalled")
      this.troubles.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
    else if (method === "Log.entryAdded")
      this.troubles.push(params.entry.text);
    else if (method === "Network.requestWillBeSent")
      this.requests.push(params.request.url);
    else if (method === "Page.loadEventFired")
      this.loaded?.();
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  async go(url) {
    const loaded = new Promise((done) => { this.loaded = done; });
    await this.send("Page.navigate", {url});
    await loaded;
  }

  /* The value of an expression in the page; promises are waited for. */
  async get(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate",
      {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async mouse(type, x, y) {
    const button = type === "mouseMoved" ? "none" : "left";
    await this.send("Input.dispatchMouseEvent", {type, x, y, button, clickCount: 1});
  }

  async click(x, y) {
    await this.mouse("mouseMoved", x, y);
    await this.mouse("mousePressed", x, y);
    await this.mouse("mouseReleased", x, y);
  }

  async key(key, text = undefined) {
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", key, text});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", key});
  }

  async picture() {
    const {cssContentSize} = await this.send("Page.getLayoutMetrics");
    const {data} = await this.send("Page.captureScreenshot", {
      captureBeyondViewport: true,
      clip: {x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height, scale: 1}
    });
    return Buffer.from(data, "base64");
  }

  close() {
    return this.browser.send("Target.closeTarget", {targetId: this.targetId});
  }
}
