// SPDX-License-Identifier: MIT
// Pages of reports in Chromium: node run.mjs CHROMIUM AXE FOLDER [SHOTS]
//
// FOLDER has the pages that tools/test-page has made, AXE is the file of axe-core. With SHOTS,
// pictures of all pages go to that folder. Prints a line for each check and ends with "N passed,
// N failed"; the exit status is 1 if any failed.
import assert from "node:assert/strict";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {Browser, Tab} from "./browser.mjs";

const [program, axeFile, folder, shots] = process.argv.slice(2);
const axe = readFileSync(axeFile, "utf8");
const pages = readdirSync(folder).filter((name) => name.endsWith(".html")).sort();
const urlOf = (name) => pathToFileURL(resolve(folder, name)).href;
const browser = await Browser.open(program);
let passed = 0, failed = 0;

const check = async (name, options, file, body) => {
  const tab = await Tab.open(browser, options);
  try {
    await tab.go(urlOf(file));
    await body(tab);
    assert.deepEqual(tab.troubles, [], "errors in the page");
    const foreign = tab.requests.filter((url) => url !== urlOf(file) && !url.startsWith("data:"));
    assert.deepEqual(foreign, [], "requests");
    passed++;
    console.log(`ok      ${file}: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${file}: ${name}\n${error.message}`);
  }
  await tab.close();
};

/* Two frames: what was asked for is drawn. */
const drawn = (tab) =>
  tab.get("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
const shotOfMap = (tab) => tab.get("document.getElementById('canvas').toDataURL()");
const rowShown = (tab) => tab.get("document.getElementById('row').innerText");
const chosen = (tab) => tab.get(
  "document.querySelector('#legend [aria-pressed=true]')?.dataset.group ?? null");

/* The row that is farthest from all others on the map, and where it is on the screen. */
const LONELY = `(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const read = (name, Type) => name in data && new Type(
    Uint8Array.from(atob(data[name]), (c) => c.charCodeAt(0)).buffer);
  const x = read("x", Uint16Array), y = read("y", Uint16Array), row = read("row", Uint32Array);
  const cluster = read("cluster", Uint32Array);
  let best = 0, far = -1;
  for (let i = 0; i < data.count; i++) {
    let near = Infinity;
    for (let j = 0; j < data.count; j++)
      if (j !== i)
        near = Math.min(near, Math.hypot(x[i] - x[j], y[i] - y[j]));
    if (near > far) { far = near; best = i; }
  }
  const canvas = document.getElementById("canvas");
  canvas.scrollIntoView({behavior: "instant"});
  const box = canvas.getBoundingClientRect(), side = canvas.clientWidth;
  return {
    row: row[best], cluster: cluster && cluster[best],
    x: box.left + (x[best] / 65535 - 0.5) * side * 0.94 + side / 2,
    y: box.top + (y[best] / 65535 - 0.5) * side * 0.94 + side / 2
  };
})()`;

const mapDraws = async (tab) => {
  const colored = await tab.get(`(() => {
    const canvas = document.getElementById("canvas");
    const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let sum = 0;
    for (let i = 3; i < all.length; i += 4)
      sum += all[i] > 0;
    return sum;
  })()`);
  assert.ok(colored > 100, `${colored} pixels of the map have a color`);
};

const barriers = async (tab) => {
  await tab.get(axe + "; 0");
  const found = await tab.get(`(async () => {
    for (const details of document.querySelectorAll("details"))
      details.open = true;
    const {violations} = await axe.run(document, {resultTypes: ["violations"]});
    return violations.map(({id, help, nodes}) =>
      id + ": " + help + "\\n    " + nodes.slice(0, 3).map((node) => node.html).join("\\n    "));
  })()`);
  assert.deepEqual(found, [], "axe-core");
};

for (const file of pages) {
  for (const scheme of ["light", "dark"]) {
    await check(`opens, draws, has no barriers, ${scheme}`, {scheme}, file, async (tab) => {
      await drawn(tab);
      await mapDraws(tab);
      const back = await tab.get("getComputedStyle(document.body).backgroundColor");
      assert.equal(back, scheme === "dark" ? "rgb(20, 22, 26)" : "rgb(251, 251, 249)");
      if (shots)
        writeFileSync(join(shots, `${file.replace(".html", "")}-${scheme}.png`),
          await tab.picture());
      await barriers(tab);
    });
  }

  await check("rows are shown, by mouse and keys", {}, file, async (tab) => {
    const lonely = await tab.get(LONELY);
    await tab.mouse("mouseMoved", lonely.x, lonely.y);
    assert.match(await rowShown(tab), new RegExp(`^Row ${lonely.row}$`, "m"));

    await tab.get("document.getElementById('canvas').focus()");
    const shown = new Set();
    for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]) {
      await tab.key(key);
      shown.add(await rowShown(tab));
    }
    assert.ok(shown.size > 1, "arrows go to other rows");
    await drawn(tab);
    const before = await shotOfMap(tab);
    await tab.key("+", "+");
    await drawn(tab);
    assert.notEqual(await shotOfMap(tab), before);
    await tab.key("0", "0");
    await drawn(tab);
    assert.equal(await shotOfMap(tab), before);

    await tab.get("document.getElementById('theme').click()");
    assert.equal(await tab.get("getComputedStyle(document.body).backgroundColor"),
      "rgb(20, 22, 26)");
    const {data} = await tab.send("Page.printToPDF");
    assert.ok(data.length > 20000);
  });

  await check("without a script there is a figure", {scripts: false}, file, async (tab) => {
    const {root} = await tab.send("DOM.getDocument");
    const find = async (selector) =>
      (await tab.send("DOM.querySelector", {nodeId: root.nodeId, selector})).nodeId;
    const {model} = await tab.send("DOM.getBoxModel", {nodeId: await find("#map-figure")});
    assert.ok(model.width > 200 && model.height > 200);
    await assert.rejects(tab.send("DOM.getBoxModel", {nodeId: await find("#canvas")}));
  });
}

for (const file of pages.filter((name) => !name.startsWith("hash"))) {
  await check("a click chooses a cluster", {}, file, async (tab) => {
    const lonely = await tab.get(LONELY);
    await drawn(tab);
    const before = await shotOfMap(tab);
    await tab.click(lonely.x, lonely.y);
    assert.equal(await chosen(tab), String(lonely.cluster));
    await drawn(tab);
    assert.notEqual(await shotOfMap(tab), before);
    await tab.key("Escape");
    assert.equal(await chosen(tab), null);
    await tab.get("document.querySelector('.show[data-cluster=\"1\"]').click()");
    assert.equal(await chosen(tab), "1");
    await tab.get("document.querySelector('#legend [data-group=\"0\"]').click()");
    assert.equal(await chosen(tab), "0");
  });

  await check("colors are confidence", {}, file, async (tab) => {
    await drawn(tab);
    const before = await shotOfMap(tab);
    await tab.get("document.querySelector('input[value=confidence]').click()");
    await drawn(tab);
    assert.notEqual(await shotOfMap(tab), before);
    assert.ok(await tab.get("document.querySelector('#legend .ramp') !== null"));
  });
}

for (const [file, runs] of [["digits.html", 2], ["hash.html", 1]])
  await check("each figure of the training has a line a run", {}, file, async (tab) => {
    const lines = await tab.get(
      "Array.from(document.querySelectorAll('#training svg'), (svg) => " +
      "svg.querySelectorAll('g[clip-path] path').length)");
    assert.ok(lines.length >= 4, `${lines.length} figures`);
    assert.deepEqual(lines, lines.map(() => runs));
  });

/* The answer to a search by the codes themselves, bit by bit. */
const EXPECTED = `(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const codes = Uint8Array.from(atob(data.codes), (c) => c.charCodeAt(0));
  const row = new Uint32Array(Uint8Array.from(atob(data.row), (c) => c.charCodeAt(0)).buffer);
  const bits = (i) => Array.from({length: data.bits},
    (_, b) => codes[i * data.bytes + (b >> 3)] >> (7 - b % 8) & 1);
  const own = bits(QUERY), all = [];
  for (let i = 0; i < data.coded; i++)
    if (i !== QUERY)
      all.push([bits(i).reduce((sum, bit, b) => sum + (bit !== own[b]), 0), i]);
  all.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return {query: row[QUERY], hits: all.slice(0, 12).map(([distance, i]) => [distance, row[i]])};
})()`;
const ANSWER = `Array.from(document.querySelectorAll("#answer li:not(.self)"), (item) =>
  [parseInt(item.innerText), Number(/Row (\\d+)/.exec(item.innerText)[1])])`;

for (const file of pages.filter((name) => name.startsWith("hash"))) {
  await check("the search answers", {}, file, async (tab) => {
    const expected = await tab.get(EXPECTED.replaceAll("QUERY", "37"));
    await tab.get(`document.getElementById("query").value = "${expected.query}"`);
    await tab.get("document.querySelector('#ask button[type=submit]').click()");
    assert.deepEqual(await tab.get(ANSWER), expected.hits);
    const lonely = await tab.get(LONELY);
    await tab.click(lonely.x, lonely.y);
    assert.match(await tab.get("document.querySelector('#answer .self').innerText"),
      new RegExp(`^Row ${lonely.row}$`, "m"));
    await tab.get("document.getElementById('any').click()");
    assert.equal((await tab.get(ANSWER)).length, 12);
  });
}

for (const file of pages.filter((name) => name.startsWith("hostile"))) {
  await check("hostile texts are shown, and do not run", {}, file, async (tab) => {
    await drawn(tab);
    assert.equal(await tab.get("window.attacked ?? 'no'"), "no");
    assert.equal(await tab.get("document.querySelectorAll('script').length"), 2);
    assert.equal(await tab.get("document.querySelectorAll('img:not([src^=\"data:\"])').length"), 0);
    assert.match(await tab.get("document.body.innerText"), /<img src=x onerror=/);
    const lonely = await tab.get(LONELY);
    await tab.mouse("mouseMoved", lonely.x, lonely.y);
    assert.equal(await tab.get("window.attacked ?? 'no'"), "no");
  });
}

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
