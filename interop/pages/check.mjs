// check.mjs BROWSER FOLDER NAME=PAGE...: opens each page from its file, without a network, at two widths, light and dark,
// and printed; writes pictures into the folder, and fails with a list of what is wrong.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MOST_OCTETS = 3_000_000;
const WIDTHS = [1400, 400];
const [browserPath, folder, ...pages] = process.argv.slice(2);
const faults = [];
const fault = (where, what) => faults.push(`${where}: ${what}`);

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
for (const [name, file] of pages.map((page) => page.split(/=(.*)/s))) {
  const began = Date.now();
  const path = resolve(file);
  if (statSync(path).size > MOST_OCTETS) fault(name, `${statSync(path).size} octets, expected at most ${MOST_OCTETS}`);
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"]) await look(name, path, width, colorScheme);
  }
  await plain(name, path);
  console.log(`${name}: ${statSync(path).size} octets, checked in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
await browser.close();
faults.forEach((one) => console.error(one));
process.exit(faults.length ? 1 : 0);

async function look(name, path, width, colorScheme) {
  const where = `${name}, ${width} px, ${colorScheme}`;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
  const page = await context.newPage();
  const url = pathToFileURL(path).href;
  page.on("request", (request) => { if (request.url().split("#")[0] !== url) fault(where, `loads ${request.url()}`); });
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) fault(where, message.text()); });
  page.on("pageerror", (error) => fault(where, String(error)));
  await page.goto(url);
  await page.waitForTimeout(300);
  const shot = (what) => page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}${what}.png`) });
  await shot("");
  await fits(page, where);
  await axe(page, `${where}, first screen`);
  await colours(page, where, colorScheme);
  if (width === WIDTHS[0] && colorScheme === "light") {
    await links(page, where, path);
    await filters(page, where);
    await closedSections(page, where);
  }
  // All that opens is open, and all charts are drawn.
  await page.evaluate(() => document.querySelectorAll("main > details, .claim:nth-child(-n+3), main > details > details:nth-of-type(-n+2)").forEach((one) => { one.open = true; }));
  await draw(page, where);
  await fits(page, `${where}, opened`);
  await colours(page, `${where}, opened`, colorScheme);
  // Of all that opens, each width and each colour once: it takes most of the time.
  if ((width === WIDTHS[0]) === (colorScheme === "light")) await axe(page, `${where}, opened`);
  if (colorScheme === "dark") await pictures(page, where);
  await tips(page, where, width);
  const figure = page.locator("figure").first();
  if (await figure.count()) {
    await figure.scrollIntoViewIfNeeded();
    await shot("-figure");
  }
  if (colorScheme === "dark") {
    // On paper it is light.
    await page.emulateMedia({ media: "print" });
    const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    if (red !== 255) fault(where, "its background is dark in print");
    await page.evaluate(() => scrollTo(0, 0));
    await shot("-print");
    if (width === WIDTHS[0]) await page.pdf({ path: join(folder, `${name}.pdf`), format: "A4" });
  }
  await context.close();
}

// Without scripts: all texts and tables, and links to the pictures.
async function plain(name, path) {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  if (!(await page.locator("table").count())) fault(`${name}, without scripts`, "no table");
  if (!(await page.locator("figcaption a").count())) fault(`${name}, without scripts`, "no link to a picture");
  await context.close();
}

async function fits(page, where) {
  const [page_, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (page_ > window_) fault(where, `the page is ${page_} px wide, the window ${window_} px`);
}

async function axe(page, where) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const one of violations) fault(where, `axe: ${one.id}: ${one.help} (${one.nodes.length} places, first ${one.nodes[0].html.slice(0, 160)})`);
}

async function colours(page, where, colorScheme) {
  const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  if ((red < 100) !== (colorScheme === "dark")) fault(where, `the background has ${red} red`);
}

async function links(page, where, path) {
  const hrefs = await page.evaluate(() => [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")));
  if (!hrefs.length) fault(where, "no links");
  for (const href of new Set(hrefs)) {
    const fine = href.startsWith("#") ? await page.evaluate((id) => document.querySelectorAll(`[id="${id}"]`).length === 1, decodeURIComponent(href.slice(1))) : existsSync(join(dirname(path), decodeURIComponent(href)));
    if (!fine) fault(where, `the link ${href} leads nowhere`);
  }
}

async function filters(page, where) {
  const buttons = page.locator("#filters button");
  if (!(await page.locator("#filters").count())) return;
  await page.evaluate(() => { document.querySelector("#sentences").open = true; });
  for (let at = 0; at < await buttons.count(); at += 1) {
    const button = buttons.nth(at);
    const wanted = Number((await button.textContent()).match(/(\d+)$/)[1]);
    await button.click();
    const shown = await page.evaluate(() => [...document.querySelectorAll(".claim")].filter((one) => !one.hidden).length);
    if (shown !== wanted) fault(where, `the filter "${await button.textContent()}" shows ${shown}`);
  }
  await buttons.first().click();
  await page.fill("#filters input", "no sentence has these words");
  const status = await page.textContent("#claims-shown");
  if (!status.startsWith("0 of ")) fault(where, `a search for nothing finds ${status}`);
  await page.fill("#filters input", "");
  // A column sorts.
  const head = page.locator(".wide th button").first();
  if (await head.count()) await head.evaluate((one) => one.click());
}

// A link into a closed section opens it.
async function closedSections(page, where) {
  const ids = await page.evaluate(() => [...document.querySelectorAll("main > details")].map((one) => { one.open = false; return one.id; }));
  for (const id of ids) {
    await page.evaluate((hash) => { location.hash = hash; }, id);
    await page.waitForTimeout(50);
    if (!(await page.evaluate((one) => document.getElementById(one).open, id))) fault(where, `#${id} stays closed`);
  }
}

async function draw(page, where) {
  const figures = page.locator("figure:has(.chart)");
  for (let at = 0; at < await figures.count(); at += 1) {
    const figure = figures.nth(at);
    if (!(await figure.isVisible())) continue;
    await figure.scrollIntoViewIfNeeded();
    await page.waitForTimeout(50);
    await figure.evaluate((one) => one.querySelectorAll("details.all").forEach((all) => { all.open = true; }));
    await figure.locator("svg").first().waitFor({ timeout: 3000 }).catch(() => {});
    const title = await figure.locator("figcaption").textContent();
    const [wide, drawn] = await figure.evaluate((one) => [one.clientWidth, [...one.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect().width)]);
    if (!drawn.length) fault(where, `nothing is drawn of "${title}"`);
    if (drawn.some((one) => one > wide + 1)) fault(where, `"${title}" is wider than its place`);
    const bad = await figure.evaluate((one) => /NaN|undefined/.test([...one.querySelectorAll("svg")].map((svg) => svg.outerHTML).join("")));
    if (bad) fault(where, `"${title}" has numbers that are none`);
  }
}

// In the dark no picture has a large light area.
async function pictures(page, where) {
  const light = await page.evaluate(() => [...document.querySelectorAll(".chart svg")].filter((svg) => {
    const light = (colour) => { const parts = colour.match(/[\d.]+/g)?.map(Number) ?? []; return parts.length >= 3 && parts[3] !== 0 && Math.min(...parts.slice(0, 3)) > 200; };
    const box = svg.getBoundingClientRect();
    return light(getComputedStyle(svg).backgroundColor) || [...svg.querySelectorAll("rect")].some((rect) => {
      const one = rect.getBoundingClientRect();
      return light(getComputedStyle(rect).fill) && one.width * one.height > 0.2 * box.width * box.height;
    });
  }).length);
  if (light) fault(where, `${light} pictures are light in the dark`);
}

// A value is shown where the pointer is.
async function tips(page, where, width) {
  if (width !== WIDTHS[0]) return;
  const kinds = new Set();
  const figures = page.locator("figure:has(.chart)");
  for (let at = 0; at < await figures.count(); at += 1) {
    const figure = figures.nth(at);
    if (!(await figure.isVisible())) continue;
    const kind = await figure.evaluate((one) => JSON.parse(one.querySelector("script").textContent).kind);
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    const svg = figure.locator("svg").last();
    await svg.scrollIntoViewIfNeeded();
    const found = await svg.evaluate((one) => {
      const line = one.querySelector("[data-part=line] path");
      if (line) {
        const point = line.getPointAtLength(0).matrixTransform(line.getScreenCTM());
        return [point.x, point.y];
      }
      const marks = one.querySelectorAll("[data-part=bar] rect, [data-part=rect] rect, [data-part=dot] circle, [data-part=dot] path");
      const box = (marks[Math.floor(marks.length / 2)] ?? one).getBoundingClientRect();
      return [box.x + box.width / 2, box.y + Math.min(box.height / 2, 40)];
    });
    await page.mouse.move(found[0] - 3, found[1] - 2);
    await page.mouse.move(found[0], found[1]);
    const tip = await svg.evaluate((one) => one.querySelector("[data-part=tip], [aria-label=tip]")?.textContent ?? "");
    if (!tip.trim()) fault(where, `a figure of the kind ${kind} shows no value on hover`);
  }
}
