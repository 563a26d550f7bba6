// What all other parts use: elements, numbers in words, a line that screen readers say.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const SVG = "http://www.w3.org/2000/svg";

/** Returns a new element; `options.on` are its listeners, all other options its attributes. */
function make(tag, options = {}, ...children) {
  const drawn = tag.startsWith("svg:");
  const element = drawn ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  const { on = {}, ...attributes } = options;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function percent(share) {
  if (share > 0 && share < 0.0005) return "<0.1\u00a0%";
  if (share < 1 && share > 0.9995) return ">99.9\u00a0%";
  return `${(100 * share).toFixed(1)}\u00a0%`;
}

/** Returns a number with three digits, as the tables do. */
function three(value) {
  const number = Number(value === "inf" ? Infinity : value === "nan" ? NaN : value);
  if (Number.isNaN(number)) return "–";
  if (!Number.isFinite(number)) return "∞";
  if (!number) return "0";
  return Math.abs(number) >= 99.95 ? number.toFixed(0) : number.toPrecision(3);
}

/** Returns a number beside an axis. */
function tick(value) {
  return String(Number(value.toPrecision(3)));
}

/** Returns a count with its thing, in the plural where it is one. */
function counted(count, thing) {
  return `${count || "no"} ${thing}${count === 1 ? "" : "s"}`;
}

function signed(value, digits = 1) {
  return `${value > 0 ? "+" : value < 0 ? "−" : "±"}${Math.abs(value).toFixed(digits)}`;
}

/** Says something to screen readers, without showing it. */
function announce(words) {
  $("#said").textContent = words;
}

function option(value, words, selected = false) {
  return make("option", { value, selected }, words);
}

/** Draws now and whenever the element gets another width; a hidden one has none, and is drawn once it is shown. */
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
