// Charts, filters, and columns that sort. Without it the page has all its texts and tables.
"use strict";
(() => {
  const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const shown = (value) => short.format(value).replaceAll(",", "\u2009");
  const colour = (at) => `var(--c${at % 12})`;
  const colours = (names) => names.length ? { type: "categorical", domain: names, range: names.map((_, at) => colour(at)), legend: names.length > 1 } : undefined;
  // Names at 1, 2 and 5 times a power of ten.
  const decades = (value) => ([1, 2, 5].some((one) => Math.abs(value / 10 ** Math.floor(Math.log10(value) + 1e-9) - one) < 1e-6) ? shown(value) : "");
  // Width of text in pixels, for margins.
  const wide = (texts, most) => Math.min(most, 12 + 6.6 * Math.max(0, ...texts.map((text) => text.length)));
  const cut = (text, room) => (text.length * 6.6 > room - 8 ? `${text.slice(0, Math.max(3, room / 6.6 - 3))}…` : text);
  const under = (parent, name, text, className) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text) element.textContent = text;
    parent.append(element);
    return element;
  };
  const plot = (options) => Plot.plot({ style: { background: "none", color: "inherit", fontSize: "12px" }, ...options });
  const tip = (data, options, pointer) => Plot.tip(data, pointer({ ...options, fill: "var(--card)", stroke: "var(--soft)", maxRadius: 60, lineWidth: 30 }));

  // A telephone's width, and the bars that fill two of its screens.
  const NARROW = 640, MANY = 80;

  // One function for each kind of plot of the crate `measure`: its data, the width, and where to put it.
  const kinds = {
    bars(data, width, into) {
      const keys = [], names = new Map(), heads = [], bars = [];
      data.groups.forEach((group, at) => {
        heads.push({ key: `${at}`, name: group.name });
        keys.push(`${at}`);
        group.bars.forEach((bar, within) => {
          const key = `${at}.${within}`;
          keys.push(key);
          names.set(key, bar.name);
          bars.push({ ...bar, key, group: group.name, shade: data.shades[bar.shade] ?? "" });
        });
      });
      // Many bars fill several screens of a telephone: they are shown where they are asked for.
      if (width < NARROW && bars.length > MANY && !into.closest("details.all")) {
        const all = under(into, "details", "", "all");
        under(all, "summary", `${bars.length} bars`);
        const place = under(all, "div");
        all.addEventListener("toggle", () => { if (!place.firstChild) kinds.bars(data, width, place); });
        return;
      }
      const left = wide([...names.values()], width * 0.4);
      const value = (bar) => shown(bar.value) + bar.remark;
      const interval = bars.filter((bar) => bar.interval[0] < bar.interval[1]);
      const marks = bars.filter((bar) => bar.mark !== null);
      const title = (bar) => [
        `${bar.group}: ${bar.name}`, bar.shade, value(bar),
        bar.interval[0] < bar.interval[1] ? `${shown(bar.interval[0])} to ${shown(bar.interval[1])}` : "",
        bar.mark === null ? "" : `${data.marks}: ${shown(bar.mark)}`,
      ].filter(Boolean).join("\n");
      const low = Math.min(...bars.map((bar) => bar.value)) / 2;
      into.append(plot({
        width, height: 20 * keys.length + 60, marginLeft: left, marginRight: wide(bars.map(value), width * 0.3), marginTop: 10, marginBottom: 40,
        x: { type: "log", label: data.x, grid: true, ticks: 5, tickFormat: decades, labelAnchor: "left", labelOffset: 36 },
        y: { domain: keys, label: null, padding: 0.3, tickSize: 0, tickFormat: (key) => cut(names.get(key) ?? "", left) },
        color: colours(data.shades),
        marks: [
          Plot.text(heads, { y: "key", text: "name", frameAnchor: "left", textAnchor: "start", dx: 8 - left, fontWeight: 650 }),
          Plot.barX(bars, { x1: low, x2: "value", y: "key", fill: data.shades.length ? "shade" : colour(0), fillOpacity: 0.75 }),
          Plot.ruleY(interval, { x1: (bar) => bar.interval[0], x2: (bar) => bar.interval[1], y: "key", strokeWidth: 2 }),
          Plot.dot(marks, { x: "mark", y: "key", symbol: "diamond", r: 4, fill: "currentColor" }),
          Plot.text(bars, { x: (bar) => Math.max(bar.value, bar.interval[1], bar.mark ?? 0), y: "key", text: value, textAnchor: "start", dx: 6 }),
          tip(bars, { x: "value", y: "key", title }, Plot.pointerY),
        ],
      }));
      if (data.marks) under(into, "p", `◆ ${data.marks}`, "notes");
    },

    boxes(data, width, into) {
      const left = wide(data.rows.map((row) => row.name), width * 0.35);
      const title = (row) => [
        row.name, `median ${shown(row.median)}`, `quartiles ${shown(row.q1)} and ${shown(row.q3)}`, `least ${shown(row.min)}, greatest ${shown(row.max)}`,
        ...(row.more ? [`99 % at most ${shown(row.more[0])}`, `mean ${shown(row.more[1])}`] : []),
      ].join("\n");
      const x = data.end === null ? { type: "log", tickFormat: decades } : { domain: [0, data.end], tickFormat: shown };
      const means = data.rows.filter((row) => row.more);
      into.append(plot({
        width, height: 28 * data.rows.length + 60, marginLeft: left, marginRight: 30, marginBottom: 40,
        x: { ...x, clamp: true, grid: true, ticks: 6, label: data.x, labelAnchor: "left", labelOffset: 36 },
        y: { domain: data.rows.map((row) => row.name), label: null, padding: 0.35, tickSize: 0, tickFormat: (name) => cut(name, left) },
        marks: [
          Plot.ruleY(data.rows, { x1: "min", x2: "max", y: "name", strokeOpacity: 0.6 }),
          Plot.barX(data.rows, { x1: "q1", x2: "q3", y: "name", fill: colour(0), fillOpacity: 0.55, insetLeft: -1, insetRight: -1 }),
          Plot.tickX(data.rows, { x: "median", y: "name", strokeWidth: 2.5 }),
          Plot.dot(means, { x: (row) => row.more[1], y: "name", symbol: "diamond", r: 4, stroke: "currentColor", fill: "var(--card)" }),
          tip(data.rows, { x: "median", y: "name", title }, Plot.pointerY),
        ],
      }));
      under(into, "p", `Line: least to greatest value; box: quartiles; bar: median${means.length ? "; diamond: mean" : ""}.`, "notes");
    },

    lines(data, width, into) {
      const log = data.scale === "logarithmic";
      const points = data.lines.flatMap((line) => line.points.map(([x, y]) => ({ x, y, name: line.name })));
      const drawn = log ? points.filter((point) => point.x > 0 && point.y > 0) : points;
      const axis = { type: log ? "log" : "linear", grid: true, tickFormat: log ? decades : shown, ...(log ? {} : { zero: true }) };
      into.append(plot({
        width, height: Math.min(460, Math.max(300, width * 0.6)), marginLeft: 60, marginBottom: 42, marginTop: 28,
        x: { ...axis, label: data.x, ticks: width < 500 ? 4 : 8, labelOffset: 38 }, y: { ...axis, label: data.y, ticks: 6 },
        color: colours(data.lines.map((line) => line.name)),
        marks: [
          Plot.lineY(drawn, { x: "x", y: "y", stroke: "name", marker: "circle", strokeWidth: 1.8 }),
          tip(drawn, { x: "x", y: "y", title: (point) => `${point.name}\n${data.x}: ${shown(point.x)}\n${data.y}: ${shown(point.y)}` }, Plot.pointer),
        ],
      }));
    },

    scatter(data, width, into) {
      const all = data.panels.flatMap((panel) => panel.clouds.flatMap((cloud) => cloud.points));
      const top = Math.max(...all.map((point) => point[1]));
      const each = width < 640 ? width : width / data.panels.length - 16;
      const names = data.panels[0]?.clouds.map((cloud) => cloud.name) ?? [];
      const panels = under(into, "div", "", "panels");
      data.panels.forEach((panel, at) => {
        const points = panel.clouds.flatMap((cloud) => cloud.points.map(([x, y]) => ({ x, y, name: cloud.name })));
        const right = Math.max(...points.map((point) => point.x));
        const [zero, slope] = panel.line;
        const line = [0, slope > 0 ? Math.min(right, (top - zero) / slope) : right].map((x) => ({ x, y: zero + slope * x }));
        const box = under(panels, "div");
        box.append(plot({
          width: each, height: Math.min(360, each), marginLeft: 56, marginBottom: 42, marginTop: 28, clip: true,
          x: { zero: true, grid: true, label: panel.x, labelOffset: 38, ticks: 5, tickFormat: shown }, y: { domain: [0, top * 1.05], grid: true, label: data.y, ticks: 6, tickFormat: shown },
          color: names.length ? { ...colours(names), legend: at === 0 && names.length > 1 } : undefined,
          marks: [
            Plot.line(line, { x: "x", y: "y", strokeDasharray: "6 4" }),
            Plot.dot(points, { x: "x", y: "y", stroke: "name", r: 3.5 }),
            tip(points, { x: "x", y: "y", title: (point) => `${point.name}\n${panel.x}: ${shown(point.x)}\n${data.y}: ${shown(point.y)}` }, Plot.pointer),
          ],
        }));
        under(box, "p", panel.remark, "notes");
      });
    },

    timeline(data, width, into) {
      const most = Math.max(0, ...data.strips.flatMap((strip) => strip.values));
      const end = data.step * Math.max(1, ...data.strips.map((strip) => strip.values.length));
      data.strips.forEach((strip, at) => {
        const last = at + 1 === data.strips.length;
        const top = (data.common ? most : Math.max(0, ...strip.values)) || 1;
        const steps = strip.values.map((value, place) => ({ from: place * data.step, to: (place + 1) * data.step, value }));
        under(into, "p", strip.name, "strip");
        into.append(plot({
          width, height: last ? 104 : 74, marginLeft: 52, marginRight: 8, marginTop: 8, marginBottom: last ? 40 : 10,
          x: { domain: [0, end], label: last ? data.x : null, ticks: last ? undefined : [], labelOffset: 36 },
          y: { domain: [0, top], ticks: 2, label: null, tickFormat: shown, grid: true },
          marks: [
            Plot.rectY(steps, { x1: "from", x2: "to", y: "value", fill: colour(at), insetLeft: 0, insetRight: 0 }),
            Plot.ruleY([0], { strokeOpacity: 0.4 }),
            tip(steps, { x: (step) => (step.from + step.to) / 2, y: "value", title: (step) => `${strip.name}\n${data.x}: ${shown(step.from)}\n${shown(step.value)}` }, Plot.pointerX),
          ],
        }));
      });
    },

    map(data, width, into) {
      const names = data.places.map((places) => places.name);
      const all = data.places.flatMap((places) => places.degrees.map(([latitude, longitude]) => ({ latitude, longitude, name: places.name })));
      const tracks = data.tracks.flatMap((track) => track.degrees.map(([latitude, longitude]) => ({ latitude, longitude, station: track.name })));
      if (!all.length) return;
      const range = (of) => all.reduce(([low, high], one) => [Math.min(low, one[of]), Math.max(high, one[of])], [Infinity, -Infinity]);
      const [south, north] = range("latitude"), [west, east] = range("longitude");
      // A degree of longitude is shorter away from the equator.
      const narrow = Math.max(0.01, Math.cos(((south + north) / 2) * Math.PI / 180));
      const inner = width - 80;
      const degrees = Math.max((east - west) * narrow, (north - south) * inner / 460, 0.0002) * 1.06;
      const middle = [(west + east) / 2, (south + north) / 2];
      const height = Math.max(120, Math.min(460, inner * Math.max(north - south, 0.0002) * 1.1 / degrees));
      const up = degrees * height / inner;
      const decimals = { minimumFractionDigits: 3, maximumFractionDigits: 4 };
      const degree = (value) => value.toLocaleString("en", decimals);
      into.append(plot({
        width, height: height + 60, marginLeft: 64, marginRight: 16, marginTop: 20, marginBottom: 40,
        x: { domain: [middle[0] - degrees / narrow / 2, middle[0] + degrees / narrow / 2], label: "longitude, degrees", ticks: width < 500 ? 3 : 6, grid: true, tickFormat: degree, labelOffset: 36 },
        y: { domain: [middle[1] - up / 2, middle[1] + up / 2], label: "latitude, degrees", ticks: 5, grid: true, tickFormat: degree },
        color: colours(names), symbol: { domain: names, legend: false },
        marks: [
          Plot.line(tracks, { x: "longitude", y: "latitude", z: "station", strokeOpacity: 0.35, clip: true }),
          Plot.dot(all, { x: "longitude", y: "latitude", stroke: "name", symbol: "name", r: 3 }),
          tip(all, { x: "longitude", y: "latitude", title: (one) => `${one.name}\n${one.latitude.toFixed(5)}, ${one.longitude.toFixed(5)}` }, Plot.pointer),
        ],
      }));
    },

    tradeoff(data, width, into) {
      const label = under(into, "label", "Message: ");
      const choice = under(label, "select");
      data.panels.forEach((panel, at) => { under(choice, "option", panel.title).value = at; });
      const place = under(into, "div");
      const height = Math.min(440, Math.max(320, width * 0.6));
      const draw = () => {
        const points = data.panels[choice.value].points;
        const ends = (of, room) => { const all = points.map((point) => point[of]); return [Math.min(...all) / room, Math.max(...all) * room]; };
        const [octets, times] = [ends("octets", 1.05), ends("nanoseconds", 1.15)];
        // Names beside their points, but at least a line from one another.
        const line = (times[1] / times[0]) ** (13 / (height - 70)), near = (octets[1] / octets[0]) ** (80 / (width - 126));
        const placed = [];
        for (const point of [...points].sort((a, b) => a.nanoseconds - b.nanoseconds)) {
          const beside = placed.filter((other) => point.octets / other.octets < near && other.octets / point.octets < near);
          placed.push({ ...point, at: Math.max(point.nanoseconds, ...beside.map((other) => other.at * line)) });
        }
        const left = placed.filter((point) => point.best), other = placed.filter((point) => !point.best);
        const name = { x: "octets", y: "at", text: "name", textAnchor: "start", dx: 8 };
        place.replaceChildren(plot({
          width, height, marginLeft: 56, marginRight: 70, marginBottom: 42, marginTop: 28,
          x: { type: "log", domain: octets, label: "octets", grid: true, ticks: width < 500 ? 4 : 8, tickFormat: decades, labelOffset: 38 },
          y: { type: "log", domain: times, label: "encode and decode, ns", grid: true, ticks: 6, tickFormat: decades },
          marks: [
            Plot.dot(other, { x: "octets", y: "nanoseconds", stroke: colour(7), r: 4 }),
            Plot.dot(left, { x: "octets", y: "nanoseconds", fill: colour(0), r: 5 }),
            Plot.text(other, { ...name, fillOpacity: 0.75 }),
            Plot.text(left, { ...name, fontWeight: 650 }),
            tip(points, { x: "octets", y: "nanoseconds", title: (one) => `${one.name}\n${shown(one.octets)} octets\n${shown(one.nanoseconds)} ns` }, Plot.pointer),
          ],
        }));
      };
      choice.addEventListener("change", draw);
      draw();
    },
  };

  // A picture has a name for readers that do not see it, and its parts have none.
  const name = (chart, title) => {
    for (const part of chart.querySelectorAll("svg [aria-label]")) {
      part.dataset.part = part.getAttribute("aria-label");
      part.removeAttribute("aria-label");
      part.removeAttribute("aria-description");
    }
    for (const svg of chart.querySelectorAll("svg")) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", title);
    }
  };
  // Figures are drawn when they come into view, and again when their width changes.
  const draw = (figure) => {
    const chart = figure.querySelector(".chart");
    const width = Math.floor(chart.clientWidth);
    if (!width || figure.drawn === width) return;
    figure.drawn = width;
    figure.data ??= JSON.parse(figure.querySelector("script").textContent);
    const chosen = chart.querySelector("select")?.selectedIndex ?? 0;
    chart.replaceChildren();
    kinds[figure.data.kind](figure.data, width, chart);
    for (const note of figure.data.notes) under(chart, "p", note, "notes");
    name(chart, figure.data.title);
    // Parts that come with the pointer, or with another choice, have names again.
    figure.changes ??= new MutationObserver(() => name(chart, figure.data.title));
    figure.changes.observe(chart, { childList: true, subtree: true });
    const choice = chart.querySelector("select");
    if (choice && chosen) {
      choice.selectedIndex = chosen;
      choice.dispatchEvent(new Event("change"));
    }
  };
  const figures = [...document.querySelectorAll("figure")].filter((figure) => figure.querySelector(".chart"));
  const seen = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)), { rootMargin: "400px" });
  figures.forEach((figure) => seen.observe(figure));
  let resized;
  addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(() => figures.filter((figure) => figure.drawn).forEach(draw), 150);
  });

  // Sentences: by verdict, by paper, by words.
  const list = document.querySelector("#claims");
  if (list) {
    const filters = document.querySelector("#filters"), count = document.querySelector("#claims-shown");
    const claims = [...list.querySelectorAll(".claim")];
    const buttons = [...filters.querySelectorAll("button")];
    const paper = filters.querySelector("select"), words = filters.querySelector("input");
    let verdict = "";
    const filter = () => {
      const wanted = words.value.toLowerCase();
      let shown = 0;
      for (const claim of claims) {
        const { verdict: is, paper: of } = claim.dataset;
        const fits = verdict === "" || is === verdict || (verdict === "alone" && "alone" in claim.dataset);
        claim.hidden = !(fits && (!paper.value || of === paper.value) && (!wanted || claim.textContent.toLowerCase().includes(wanted)));
        shown += claim.hidden ? 0 : 1;
      }
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.value === verdict)));
      count.textContent = `${shown} of ${claims.length} are shown.`;
    };
    buttons.forEach((button) => button.addEventListener("click", () => { verdict = button.value; filter(); }));
    paper.addEventListener("change", filter);
    words.addEventListener("input", filter);
    for (const link of document.querySelectorAll("a[data-paper]")) {
      link.addEventListener("click", () => { paper.value = link.dataset.paper; verdict = link.dataset.verdict ?? ""; filter(); });
    }
    filters.hidden = false;
    filter();
  }

  // Columns sort by a click on their name: numbers as numbers, cells without one last.
  const number = (text) => {
    const found = text.replaceAll("\u2009", "").match(/^[^\d-]*(-?\d+(\.\d+)?)/);
    return found ? Number(found[1]) : Infinity;
  };
  for (const table of document.querySelectorAll(".wide table")) {
    const body = table.tBodies[0];
    if (!body || body.rows.length < 3) continue;
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      if (!head.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        const key = (row) => row.cells[at]?.textContent ?? "";
        const compare = head.className === "n" ? (a, b) => number(key(a)) - number(key(b)) || 0 : (a, b) => key(a).localeCompare(key(b));
        const rows = [...body.rows].sort(compare);
        for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        body.append(...(up ? rows : rows.reverse()));
      });
    });
  }

  // A link into a closed section opens it.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (link && link.hash === location.hash) open();
  });
  open();

  // On paper all sections are open, and all their figures are drawn.
  addEventListener("beforeprint", () => {
    document.querySelectorAll("main > .fold").forEach((section) => { section.open = true; });
    figures.forEach(draw);
  });
})();
