// Used by all other parts: making elements, writing numbers, telling screen readers.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const SVG = "http://www.w3.org/2000/svg";

/** Returns a new element: `options.on` holds its listeners by event, all other options are attributes. */
function make(tag, options = {}, ...children) {
  const isSvg = tag.startsWith("svg:");
  const element = isSvg ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  const { on = {}, ...attributes } = options;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Compares two texts as people sort them: the numbers in them by size. */
const { compare: byWords } = new Intl.Collator("en", { numeric: true });

function percent(share) {
  if (share > 0 && share < 0.0005) return "<0.1\u00a0%";
  if (share < 1 && share > 0.9995) return ">99.9\u00a0%";
  return `${(Math.floor(1000 * share + 0.5 + 1e-9) / 10).toFixed(1)}\u00a0%`; // half up, as the command line does
}

/** Returns a number of the data, in which "inf" and "nan" stand for such numbers, since JSON has none. */
const numeric = (value) => (value === "inf" ? Infinity : Number(value));

/** Returns the text of a number with three digits, as in the tables. */
function three(value) {
  const number = numeric(value);
  if (Number.isNaN(number)) return "–";
  if (!Number.isFinite(number)) return "∞";
  if (!number) return "0";
  return Math.abs(number) >= 99.95 ? number.toFixed(0) : number.toPrecision(3);
}

/** Returns the text of a number beside an axis. */
function tick(value) {
  return String(Number(value.toPrecision(3)));
}

/** Returns a count and a noun, in the plural unless the count is 1; "no" for 0. */
function counted(count, thing) {
  return `${count || "no"} ${thing}${count === 1 ? "" : "s"}`;
}

function signed(value, digits = 1) {
  return `${value > 0 ? "+" : value < 0 ? "−" : "±"}${Math.abs(value).toFixed(digits)}`;
}

/** Lets screen readers say something that isn't shown. */
function announce(words) {
  $("#said").textContent = words;
}

function option(value, words, selected = false) {
  return make("option", { value, selected }, words);
}

/**
 * Draws now and whenever the width of the element changes; a hidden element is drawn once it is shown. Returns a
 * function that draws again.
 */
function drawnTo(element, draw) {
  let width = 0;
  new ResizeObserver(() => {
    if (!element.clientWidth || element.clientWidth === width) return;
    width = element.clientWidth;
    draw(width);
  }).observe(element);
  return () => {
    if (width) draw(width);
  };
}
