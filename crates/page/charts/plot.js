// The parts of Observable Plot that `src/page.js` uses; all else is left out of the bundle.
export { barX, dot, line, lineY, plot, pointer, pointerX, pointerY, rectY, ruleY, text, tickX, tip } from "@observablehq/plot";
