// Charts: points that can be visited with the keyboard, and curves with their names at their ends.

const COLOURS = 6;
const FINGER = 12; // pixels: half of the least target that a finger is sure of (WCAG 2.2)

/** Returns round numbers between two ends, about `most` of them. */
function ticks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + 1e-9; at += step) found.push(Number(at.toPrecision(6)));
  return found;
}

/** Returns the numbers between two ends that are 1, 2 or 5 times a power of ten; even steps if these are too few. */
function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++)
    for (const n of [1, 2, 5]) found.push(n * 10 ** power);
  const inside = found.filter((at) => at >= low && at <= high);
  return inside.length > 2 ? inside : ticks(low, high, 5);
}

function scale([low, high], [from, to], log = false) {
  const f = log ? Math.log : (x) => x;
  const width = f(high) - f(low) || 1;
  return (x) => from + ((f(x) - f(low)) / width) * (to - from);
}

function text(x, y, words, options = {}) {
  return make("svg:text", { x, y, ...options }, words);
}

function line(x1, y1, x2, y2, options = {}) {
  return make("svg:line", { x1, y1, x2, y2, ...options });
}

/** Returns a chart with its axes only; `x` and `y` each have a scale, ticks, a function for their texts, a label. */
function frame(width, height, margin, x, y, label) {
  const svg = make("svg:svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    "aria-label": label,
  });
  const axes = make("svg:g", { class: "axes", "aria-hidden": "true" });
  for (const tick of x.ticks) {
    const at = x.scale(tick);
    axes.append(
      line(at, margin.top, at, height - margin.bottom),
      text(at, height - margin.bottom + 16, x.words(tick), {
        "text-anchor": "middle",
      }),
    );
  }
  for (const tick of y.ticks) {
    const at = y.scale(tick);
    axes.append(
      line(margin.left, at, width - margin.right, at),
      text(margin.left - 7, at + 4, y.words(tick), { "text-anchor": "end" }),
    );
  }
  axes.append(
    text(width - margin.right, height - 4, x.label, {
      "text-anchor": "end",
      class: "axis",
    }),
    text(margin.left, margin.top - 9, y.label, { class: "axis" }),
  );
  svg.append(axes);
  return svg;
}

/**
 * Shows what is under a mouse, which opens it on a click. A finger points at nothing before it touches, and is wider
 * than most: its tap shows, and a second tap there opens what is shown.
 */
function pointable(element, { under, shown, show, open }) {
  let [finger, x, y] = [false, Infinity, Infinity];
  element.addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch"));
  element.addEventListener("pointermove", (event) => event.pointerType === "touch" || show(under(event)));
  element.addEventListener("pointerleave", (event) => event.pointerType === "touch" || show(null));
  element.addEventListener("click", (event) => {
    const again = Math.hypot(event.pageX - x, event.pageY - y) < FINGER && shown();
    [x, y] = [event.pageX, event.pageY];
    const found = finger ? again : under(event);
    if (found) open(found);
    else show(under(event));
  });
}

/**
 * Draws points. Under the pointer they show their names, on a click they open; with the keyboard, arrows go from one to
 * the next, and Enter opens.
 */
function scatter(holder, width, { points, x, y, label, beneath, open }) {
  const margin = { top: 26, right: 14, bottom: 38, left: 56 }; // for letters as on paper
  const height = Math.min(460, Math.max(280, width * (width < 500 ? 0.85 : 0.55)));
  const across = {
    ...x,
    scale: scale(x.range, [margin.left, width - margin.right], x.log),
  };
  const up = {
    ...y,
    scale: scale(y.range, [height - margin.bottom, margin.top], y.log),
  };
  across.ticks = x.log ? logTicks(...x.range) : ticks(...x.range, Math.floor(width / 90));
  up.ticks = y.log ? logTicks(...y.range) : ticks(...y.range, 5);
  const svg = frame(width, height, margin, across, up, label);
  svg.setAttribute("role", "application");
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("aria-roledescription", "chart: arrows walk, Enter opens");
  if (beneath) svg.append(...beneath(across.scale, up.scale));
  const order = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const dots = new Map();
  for (const point of order) {
    const [cx, cy] = [across.scale(point.x), up.scale(point.y)];
    if (point.ends)
      svg.append(
        line(cx, up.scale(point.ends[0]), cx, Math.max(margin.top, up.scale(point.ends[1])), {
          class: "interval",
        }),
      );
    const dot = make("svg:circle", {
      cx,
      cy,
      r: point.strong ? 5.5 : 4.5,
      class: `dot ${point.kind ?? ""}`,
      "data-unit": point.id,
    });
    dots.set(point, dot);
  }
  svg.append(...dots.values());
  const tip = make("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  let current = null;
  const show = (point) => {
    if (current) dots.get(current)?.classList.remove("on");
    current = point;
    tip.hidden = !point;
    if (!point) return;
    const dot = dots.get(point);
    dot.classList.add("on");
    dot.parentNode.append(dot);
    tip.replaceChildren(make("b", {}, point.name), ` ${point.said}`);
    const at = across.scale(point.x);
    tip.style.left = `${Math.max(0, Math.min(at + 12, width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${Math.max(0, up.scale(point.y) - tip.offsetHeight - 12)}px`;
  };
  const nearest = (event) => {
    const box = svg.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let [best, least] = [null, 24 ** 2];
    for (const point of order) {
      const far = (across.scale(point.x) - px) ** 2 + (up.scale(point.y) - py) ** 2;
      if (far < least) [best, least] = [point, far];
    }
    return best;
  };
  pointable(svg, { under: nearest, shown: () => current, show, open });
  svg.addEventListener("keydown", (event) => {
    const step = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
    }[event.key];
    if (step && order.length) {
      const from = current ? order.indexOf(current) : step > 0 ? -1 : 0;
      show(order[(from + step + 10 * order.length) % order.length]);
      announce(`${current.name} ${current.said}`);
      event.preventDefault();
    } else if (event.key === "Enter" && current) open(current);
  });
  holder.replaceChildren(svg, tip);
}

/** Returns heights as near to the wanted ones as can be, in the same order, with a gap between each two. */
function apart(wanted, gap, low, high) {
  const order = wanted.map((_, n) => n).sort((a, b) => wanted[a] - wanted[b]);
  const places = [];
  for (const n of order) places.push(Math.max(wanted[n], low, places.length ? places[places.length - 1] + gap : low));
  let ceiling = high + gap;
  for (let n = places.length - 1; n >= 0; n--) {
    places[n] = Math.min(places[n], ceiling - gap);
    ceiling = places[n];
  }
  const found = [];
  order.forEach((n, at) => (found[n] = places[at]));
  return found;
}

/** Returns a short piece of a curve, with its dashes, for a legend. */
function legendKey(colour) {
  const svg = make("svg:svg", { class: "key", width: 34, height: 8, "aria-hidden": "true" });
  svg.append(line(0, 4, 34, 4, { class: `curve c${colour}` }));
  return svg;
}

/**
 * Draws curves of chances. Values hold for steps, whose edges are `x.edges`, or for points, which are `x.at`; `x.ticks`
 * are the numbers below the axis.
 */
function curves(holder, width, { series, x, y, label }) {
  const pen = make("canvas").getContext("2d");
  pen.font = `600 12px ${getComputedStyle(holder).fontFamily}`; // as the style of `.name` has it
  const room = 16 + Math.max(...series.map(({ name }) => pen.measureText(name).width));
  const narrow = width < 560 || room > 260;
  const margin = {
    top: 26,
    right: narrow ? 12 : room,
    bottom: 38,
    left: 48,
  };
  const height = Math.min(380, Math.max(240, width * 0.5));
  const marks = x.edges ?? x.at;
  const across = {
    ...x,
    scale: scale([marks[0], marks[marks.length - 1]], [margin.left, width - margin.right]),
  };
  across.words = String;
  const up = {
    label: y,
    ticks: [0, 0.25, 0.5, 0.75, 1],
    words: (at) => `${100 * at}\u00a0%`,
    scale: scale([0, 1], [height - margin.bottom, margin.top]),
  };
  const svg = frame(width, height, margin, across, up, label);
  svg.setAttribute("role", "img");
  const ends = [];
  series.forEach(({ values, name }, n) => {
    const points = values.flatMap((value, at) =>
      x.edges
        ? [
            [x.edges[at], value],
            [x.edges[at + 1], value],
          ]
        : [[x.at[at], value]],
    );
    const path = points
      .map(([px, py], at) => `${at ? "L" : "M"}${across.scale(px).toFixed(1)} ${up.scale(py).toFixed(1)}`)
      .join("");
    svg.append(make("svg:path", { d: path, class: `curve c${n % COLOURS}` }, make("svg:title", {}, name)));
    ends.push(up.scale(values[values.length - 1]));
  });
  holder.replaceChildren(svg);
  if (narrow) {
    const legend = make("ul", { class: "legend" });
    series.forEach(({ name }, n) =>
      legend.append(make("li", {}, legendKey(n % COLOURS), name)),
    );
    holder.append(legend);
    return;
  }
  const places = apart(ends, 16, margin.top, height - margin.bottom);
  series.forEach(({ name }, n) =>
    svg.append(
      text(width - margin.right + 8, places[n] + 4, name, {
        class: `name c${n % COLOURS}`,
        "aria-hidden": "true",
      }),
    ),
  );
}
