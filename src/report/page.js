/* SPDX-License-Identifier: MIT
 *
 * The script of a report: the map, the search, and the switch between light and dark. It reads
 * the JSON that src/report/page_data.c puts into the page; whatever comes from data becomes
 * text by textContent, never markup. Without this script the rest of the page is complete. */
"use strict";
(() => {
  const get = (id) => document.getElementById(id);
  const data = JSON.parse(get("data").textContent);

  /* ---- reading ------------------------------------------------------------------------- */

  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const column = (name, Type) => name in data ? new Type(bytes(data[name]).buffer) : null;
  const row = column("row", Uint32Array);
  const x = column("x", Uint16Array), y = column("y", Uint16Array);
  const confidence = column("confidence", Uint8Array);
  const cluster = column("cluster", Uint32Array);
  const klass = column("class", Uint16Array);
  const codes = column("codes", Uint8Array);
  const count = data.count;

  /* ---- elements ------------------------------------------------------------------------ */

  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const swatch = (color) => {
    const ns = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(ns, "svg"), rect = document.createElementNS(ns, "rect");
    svg.setAttribute("class", "swatch");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("width", 12);
    svg.setAttribute("height", 12);
    rect.setAttribute("width", 12);
    rect.setAttribute("height", 12);
    rect.setAttribute("rx", 3);
    rect.setAttribute("fill", color);
    svg.append(rect);
    return svg;
  };

  /* The picture of a row of the map, `size` pixels high, or null. */
  const picture = (i, size) => {
    const sheet = data.sheet;
    if (!sheet || i % sheet.every !== 0)
      return null;
    const at = i / sheet.every, zoom = size / sheet.height;
    const left = at % sheet.across * sheet.width, top = Math.floor(at / sheet.across) * sheet.height;
    const shot = make("span", {className: "shot"});
    shot.setAttribute("role", "img");
    shot.setAttribute("aria-label", `Picture of row ${row[i]}`);
    Object.assign(shot.style, {
      width: `${sheet.width * zoom}px`, height: `${size}px`,
      backgroundImage: `url(${sheet.url})`,
      backgroundSize: `${sheet.across * sheet.width * zoom}px auto`,
      backgroundPosition: `${-left * zoom}px ${-top * zoom}px`
    });
    return shot;
  };

  const textOf = (i) => data.texts && i % data.texts.every === 0
    ? data.texts.list[i / data.texts.every] || "" : "";

  /* What is to be said of a row of the map. */
  const describe = (i, size) => {
    const parts = [];
    const shot = picture(i, size);
    if (shot)
      parts.push(shot);
    parts.push(make("p", {}, make("strong", {textContent: `Row ${row[i]}`})));
    if (cluster)
      parts.push(make("p", {textContent: `Cluster ${cluster[i]}`}));
    if (klass)
      parts.push(make("p", {textContent: `Class ${data.classes[klass[i]]}`}));
    parts.push(make("p", {className: "quiet", textContent:
      `${cluster ? "Confidence" : "Certainty"} ${(confidence[i] / 255).toFixed(2)}`}));
    if (textOf(i))
      parts.push(make("p", {textContent: textOf(i)}));
    return parts;
  };

  /* ---- light and dark ------------------------------------------------------------------ */

  const theme = get("theme"), wish = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark" : wish.matches;
  const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.hidden = false;
  nameTheme();
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
    draw();
  });
  wish.addEventListener("change", () => { nameTheme(); draw(); });

  /* ---- the map: what is shown ------------------------------------------------------------ */

  const canvas = get("canvas"), pen = canvas.getContext("2d");
  const view = {x: 0.5, y: 0.5, zoom: 1};
  let colorBy = document.querySelector("input[name=color]:checked").value;
  let chosen = null;   /* group whose rows stand out */
  let current = -1;    /* row that is pointed at */

  const least = confidence.reduce((a, b) => Math.min(a, b), 255) / 255;
  const STEPS = 12;
  const RAMP = [[200, 80, 30], [178, 138, 40], [40, 110, 180]];
  const ramp = (share) => {
    const at = share * (RAMP.length - 1), low = Math.min(Math.floor(at), RAMP.length - 2);
    const mix = RAMP[low].map((c, j) => Math.round(c + (RAMP[low + 1][j] - c) * (at - low)));
    return `rgb(${mix.join(",")})`;
  };
  const step = (i) => least < 1
    ? Math.min(STEPS - 1, Math.floor((confidence[i] / 255 - least) / (1 - least) * STEPS)) : STEPS - 1;

  /* For each way to color: the group of a row, how many there are, their names and colors. */
  const ways = {
    cluster: cluster && {
      of: (i) => cluster[i], count: data.clusters, name: (g) => `Cluster ${g}`,
      color: (g) => data.clusterColors[g % data.clusterColors.length]
    },
    class: klass && {
      of: (i) => klass[i], count: data.classes.length, name: (g) => `Class ${data.classes[g]}`,
      color: (g) => data.classColors[g % data.classColors.length]
    },
    confidence: {of: step, count: STEPS, name: () => "", color: (g) => ramp(g / (STEPS - 1))}
  };

  /* Rows in the order of their groups, so that a color is set once. */
  const sorted = () => {
    const way = ways[colorBy], order = Array.from(row.keys());
    return order.sort((a, b) => way.of(a) - way.of(b));
  };
  let order = sorted();

  /* ---- the map: drawing ------------------------------------------------------------------ */

  const side = () => canvas.clientWidth || 1;
  const scale = () => side() * 0.94 * view.zoom;
  const screenX = (i) => (x[i] / 65535 - view.x) * scale() + side() / 2;
  const screenY = (i) => (y[i] / 65535 - view.y) * scale() + side() / 2;
  const radius = () =>
    Math.min(6, Math.max(1.1, Math.sqrt(side() * side() / count) / 7) * Math.pow(view.zoom, 0.35));

  const drawPoints = () => {
    const way = ways[colorBy], r = radius();
    let color = null;
    for (const i of order) {
      const group = way.of(i), px = screenX(i), py = screenY(i);
      if (px < -r || py < -r || px > side() + r || py > side() + r)
        continue;
      if (way.color(group) !== color) {
        color = way.color(group);
        pen.fillStyle = color;
      }
      pen.globalAlpha = chosen === null ? 0.8 : chosen === group ? 0.95 : 0.07;
      if (r < 1.6) {
        pen.fillRect(px - r, py - r, 2 * r, 2 * r);
      } else {
        pen.beginPath();
        pen.arc(px, py, r, 0, 2 * Math.PI);
        pen.fill();
      }
    }
    pen.globalAlpha = 1;
  };

  const drawCurrent = () => {
    if (current < 0)
      return;
    pen.strokeStyle = getComputedStyle(document.body).color;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(screenX(current), screenY(current), radius() + 4, 0, 2 * Math.PI);
    pen.stroke();
  };

  const draw = () => {
    const size = Math.round(side() * (window.devicePixelRatio || 1));
    if (canvas.width !== size)
      canvas.width = canvas.height = size;
    pen.setTransform(size / side(), 0, 0, size / side(), 0, 0);
    pen.clearRect(0, 0, side(), side());
    drawPoints();
    drawCurrent();
    canvas.dataset.drawn = count;
  };

  let waiting = false;
  const redraw = () => {
    if (waiting)
      return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };

  /* ---- the map: the legend --------------------------------------------------------------- */

  const legend = get("legend"), MOST = 200;

  const choose = (group) => {
    chosen = group;
    for (const button of legend.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(Number(button.dataset.group) === chosen));
    redraw();
  };

  const legendOfGroups = (way) => {
    const sizes = new Array(way.count).fill(0);
    for (let i = 0; i < count; i++)
      sizes[way.of(i)]++;
    for (let g = 0; g < Math.min(way.count, MOST); g++) {
      const button = make("button", {type: "button"}, swatch(way.color(g)),
        make("span", {textContent: way.name(g)}),
        make("span", {className: "count", textContent: sizes[g].toLocaleString("en")}));
      button.dataset.group = g;
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => choose(chosen === g ? null : g));
      legend.append(button);
    }
  };

  const legendOfConfidence = (way) => {
    const bar = make("div", {className: "ramp"});
    for (let g = 0; g < STEPS; g++) {
      const part = make("span");
      part.style.background = way.color(g);
      bar.append(part);
    }
    legend.append(bar, make("div", {className: "ends"},
      make("span", {textContent: least.toFixed(2)}), make("span", {textContent: "1.00"})));
  };

  const relegend = () => {
    legend.replaceChildren();
    if (colorBy === "confidence")
      legendOfConfidence(ways[colorBy]);
    else
      legendOfGroups(ways[colorBy]);
  };

  const recolor = (how) => {
    colorBy = how;
    chosen = null;
    order = sorted();
    relegend();
    redraw();
  };

  /* ---- the map: pointing ----------------------------------------------------------------- */

  const point = (i) => {
    if (i === current)
      return;
    current = i;
    get("row").replaceChildren(...(i < 0
      ? [make("p", {className: "quiet", textContent: "Point at a row to see it here."})]
      : describe(i, 84)));
    redraw();
  };

  /* The row nearest to a place on the screen, within reach; else -1. */
  const nearest = (px, py, reach) => {
    let best = -1, least = reach * reach;
    for (let i = 0; i < count; i++) {
      const dx = screenX(i) - px, dy = screenY(i) - py, sq = dx * dx + dy * dy;
      if (sq < least) {
        least = sq;
        best = i;
      }
    }
    return best;
  };

  /* The nearest row in a direction: not farther to the side than ahead. */
  const ahead = (dx, dy) => {
    let best = current, least = Infinity;
    for (let i = 0; i < count; i++) {
      const vx = screenX(i) - screenX(current), vy = screenY(i) - screenY(current);
      const along = vx * dx + vy * dy, aside = Math.abs(vx * dy - vy * dx);
      if (along > 0.5 && aside <= along && along + aside < least) {
        least = along + aside;
        best = i;
      }
    }
    return best;
  };

  const zoomAt = (factor, px, py) => {
    const zoom = Math.min(200, Math.max(1, view.zoom * factor));
    const before = scale();
    view.x += (px - side() / 2) / before;
    view.y += (py - side() / 2) / before;
    view.zoom = zoom;
    view.x -= (px - side() / 2) / scale();
    view.y -= (py - side() / 2) / scale();
    redraw();
  };
  const zoomBy = (factor) => zoomAt(factor, side() / 2, side() / 2);
  const showAll = () => {
    Object.assign(view, {x: 0.5, y: 0.5, zoom: 1});
    redraw();
  };

  /* A click, or Enter: groups are chosen; of codes, the row is searched for. */
  const act = (i) => {
    if (i < 0)
      choose(null);
    else if (codes)
      ask(i);
    else if (colorBy !== "confidence")
      choose(chosen === ways[colorBy].of(i) ? null : ways[colorBy].of(i));
  };

  let drag = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [px, py] = place(event);
    drag = {px, py, x: view.x, y: view.y, moved: false};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(event);
    if (!drag) {
      point(nearest(px, py, 14));
      return;
    }
    if (Math.hypot(px - drag.px, py - drag.py) > 4)
      drag.moved = true;
    if (drag.moved) {
      canvas.classList.add("drags");
      view.x = drag.x - (px - drag.px) / scale();
      view.y = drag.y - (py - drag.py) / scale();
      redraw();
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const [px, py] = place(event);
    canvas.classList.remove("drags");
    if (drag && !drag.moved) {
      point(nearest(px, py, 14));
      act(current);
    }
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => { drag = null; });
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey)
      return; /* the page scrolls */
    event.preventDefault();
    zoomAt(Math.exp(-event.deltaY / 400), ...place(event));
  }, {passive: false});

  const DIRECTIONS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey)
      return;
    const direction = DIRECTIONS[event.key];
    if (direction)
      point(current < 0 ? nearest(side() / 2, side() / 2, Infinity) : ahead(...direction));
    else if (event.key === "+" || event.key === "=")
      zoomBy(1.5);
    else if (event.key === "-")
      zoomBy(1 / 1.5);
    else if (event.key === "0")
      showAll();
    else if (event.key === "Enter")
      act(current);
    else if (event.key === "Escape")
      choose(null);
    else
      return;
    event.preventDefault();
  });

  /* ---- the search ------------------------------------------------------------------------ */

  const HITS = 12;
  const ones = Uint8Array.from({length: 256}, (_, i) => i.toString(2).replace(/0/g, "").length);
  const differ = (i, j) => {
    let sum = 0;
    for (let b = 0; b < data.bytes; b++)
      sum += ones[codes[i * data.bytes + b] ^ codes[j * data.bytes + b]];
    return sum;
  };

  /* The rows of the map by the distances of their codes; of equal ones the first. */
  const search = (i) => {
    const found = [];
    for (let j = 0; j < data.coded; j++)
      found.push({j, distance: differ(i, j)});
    found.sort((a, b) => a.distance - b.distance || a.j - b.j);
    return found.filter((hit) => hit.j !== i).slice(0, HITS);
  };

  const hit = (i, text, own) => make("li", {className: own ? "self" : ""},
    make("p", {}, make("strong", {textContent: text})), ...describe(i, 64));

  const ask = (i, note) => {
    if (i >= data.coded)
      i = data.coded - 1;
    get("query").value = row[i];
    const found = search(i);
    get("answer").replaceChildren(
      make("p", {textContent: note ||
        `The ${found.length} nearest of ${data.coded.toLocaleString("en")} rows to row ${row[i]}:`}),
      make("ol", {className: data.texts ? "hits long" : "hits"}, hit(i, "Searched for", true),
        ...found.map(({j, distance}) =>
          hit(j, distance === 1 ? "1 bit" : `${distance} bits`, false))));
  };

  const openSearch = () => {
    get("ask").hidden = false;
    get("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = Number(get("query").value);
      let best = 0;
      for (let i = 1; i < data.coded; i++)
        if (Math.abs(row[i] - wanted) < Math.abs(row[best] - wanted))
          best = i;
      ask(best, row[best] === wanted ? ""
        : `Row ${wanted} is not on the map; these are nearest to row ${row[best]}:`);
    });
    get("any").addEventListener("click", () => ask(Math.floor(Math.random() * data.coded)));
    ask(0);
  };

  /* ---- beginning ------------------------------------------------------------------------- */

  get("atlas").hidden = false;
  for (const radio of document.querySelectorAll("input[name=color]"))
    radio.addEventListener("change", () => recolor(radio.value));
  get("zoom-in").addEventListener("click", () => zoomBy(1.5));
  get("zoom-out").addEventListener("click", () => zoomBy(1 / 1.5));
  get("zoom-all").addEventListener("click", showAll);
  for (const button of document.querySelectorAll(".show")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const radio = document.querySelector("input[name=color][value=cluster]");
      if (!radio.checked) {
        radio.checked = true;
        recolor("cluster");
      }
      choose(Number(button.dataset.cluster));
      get("map").scrollIntoView();
      canvas.focus({preventScroll: true});
    });
  }
  current = 0;
  point(-1);
  relegend();
  new ResizeObserver(draw).observe(canvas);
  draw();
  if (codes)
    openSearch();
})();
