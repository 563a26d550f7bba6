// Who wins: a cell for each two units, on a canvas, as so many elements would be slow.

const NAMED = 46;
const WIDEST = 860;
const MAP = {
  canvas: $("#heatmap"),
  form: $("#heat"),
  tip: $("#heat-tip"),
  rows: [],
  cell: 0,
  left: 0,
  top: 0,
  at: null,
};

const ORDERS = {
  price: (a, b) => UNITS[a].price - UNITS[b].price || UNITS[a].name.localeCompare(UNITS[b].name, "en"),
  nation: (a, b) => UNITS[a].nation.localeCompare(UNITS[b].nation, "en") || ORDERS.price(a, b),
  category: (a, b) => UNITS[a].category.localeCompare(UNITS[b].category, "en") || ORDERS.price(a, b),
  name: (a, b) => UNITS[a].name.localeCompare(UNITS[b].name, "en"),
};

/** Returns what a cell shows: who is ahead, 0 to 1, and whether it is a draw; null where nothing was fought. */
function cellOf(a, b) {
  const asked = MAP.form.elements.situation.value;
  if (asked === "equal") {
    const found = equalScore(a, b);
    return found === null ? null : { score: found, draw: 0 };
  }
  const { win, draw } = duel(a, b, asked === "all" ? null : Number(asked));
  return { score: win + draw / 2, win, draw };
}

function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function mixed(from, to, share) {
  const parts = [from, to].map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  const sum = parts[0].map((part, n) => Math.round(part + (parts[1][n] - part) * share));
  return `rgb(${sum.join()})`;
}

/** Returns a colour for each hundredth, from a certain loss over an even fight to a certain win. */
function ramp() {
  const stops = ["--lose", "--behind", "--even", "--ahead", "--win"].map(colourOf);
  return Array.from({ length: 101 }, (_, at) => {
    const place = Math.min(at / 25, 3.999);
    return mixed(stops[Math.floor(place)], stops[Math.floor(place) + 1], place % 1);
  });
}

function drawMap() {
  const { canvas, form } = MAP;
  const room = $("#map-room").clientWidth;
  if (!room) return;
  const nation = form.elements.nation.value;
  MAP.rows = DATA.field.filter((at) => !nation || UNITS[at].nation === nation).sort(ORDERS[form.elements.order.value]);
  const count = Math.max(MAP.rows.length, 1);
  const named = count <= NAMED && room >= 560;
  MAP.left = named ? 190 : 0;
  MAP.top = named ? 150 : 0;
  MAP.cell = Math.min(44, (Math.min(room, WIDEST) - MAP.left) / count);
  const side = MAP.cell * count;
  const [width, height] = [MAP.left + side, MAP.top + side];
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  const [colours, draw, none, ink] = [ramp(), ...["--draw", "--soft", "--ink"].map(colourOf)];
  // Cells begin and end on whole pixels, or seams would show between them.
  const edge = (at) => Math.round(at * sharp) / sharp;
  const { cell, left, top } = MAP;
  const gap = cell > 12 ? 1 : 0;
  MAP.rows.forEach((a, row) =>
    MAP.rows.forEach((b, column) => {
      const found = cellOf(a, b);
      pen.fillStyle = !found ? none : found.draw >= 0.5 ? draw : colours[Math.round(100 * found.score)];
      const [x, y] = [edge(left + column * cell), edge(top + row * cell)];
      pen.fillRect(x, y, edge(left + (column + 1) * cell) - x - gap, edge(top + (row + 1) * cell) - y - gap);
    }),
  );
  if (named) {
    pen.fillStyle = ink;
    pen.font = `${Math.min(13, Math.max(9, MAP.cell - 3))}px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    MAP.rows.forEach((at, n) => {
      const middle = (n + 0.5) * MAP.cell;
      pen.textAlign = "right";
      pen.fillText(UNITS[at].name, MAP.left - 6, MAP.top + middle, 182);
      pen.save();
      pen.translate(MAP.left + middle, MAP.top - 6);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = "left";
      pen.fillText(UNITS[at].name, 0, 0, 142);
      pen.restore();
    });
  }
  if (MAP.at) frameCell();
}

function frameCell() {
  const { cell, left, top, at } = MAP;
  const mark = $("#heat-mark");
  mark.hidden = !at;
  if (!at) return;
  mark.style.left = `${left + at[1] * cell - 2}px`;
  mark.style.top = `${top + at[0] * cell - 2}px`;
  mark.style.width = mark.style.height = `${cell}px`;
}

function inWords(a, b) {
  const found = cellOf(a, b);
  const [one, other] = [UNITS[a], UNITS[b]];
  const who = `${one.name} (${one.price}) v ${other.name} (${other.price})`;
  if (!found) return `${who}: no battle says`;
  if (found.win === undefined) return `${who}: scores ${percent(found.score)} for equal ${DATA.currency}`;
  return `${who}: wins ${percent(found.win)}${found.draw ? `, draws ${percent(found.draw)}` : ""}`;
}

/** Marks a cell, and names both units; null marks none. */
function point(at, aloud = false) {
  MAP.at = at;
  frameCell();
  MAP.tip.textContent = at
    ? inWords(MAP.rows[at[0]], MAP.rows[at[1]])
    : "Point at a cell, or walk with the arrow keys; Enter or a click opens the pair.";
  if (aloud && at) announce(MAP.tip.textContent);
}

function cellUnder(event) {
  const box = MAP.canvas.getBoundingClientRect();
  const column = Math.floor((event.clientX - box.left - MAP.left) / MAP.cell);
  const row = Math.floor((event.clientY - box.top - MAP.top) / MAP.cell);
  const inside = (n) => n >= 0 && n < MAP.rows.length;
  return inside(row) && inside(column) ? [row, column] : null;
}

function openCell(at) {
  if (at) location.hash = `pair=${UNITS[MAP.rows[at[0]]].id},${UNITS[MAP.rows[at[1]]].id}`;
}

const WALK = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function walkMap(event) {
  const step = WALK[event.key];
  const last = MAP.rows.length - 1;
  if (step && last >= 0) {
    const far = event.shiftKey ? 10 : 1;
    const [row, column] = MAP.at ?? [0, 0];
    const within = (n) => Math.max(0, Math.min(last, n));
    point(MAP.at ? [within(row + far * step[0]), within(column + far * step[1])] : [0, 0], true);
    event.preventDefault();
  } else if (event.key === "Enter") openCell(MAP.at);
}

function startMap() {
  const { form, canvas } = MAP;
  const { situation, nation, order } = form.elements;
  if (SCORES) situation.append(option("equal", `equal ${DATA.currency} against equal ${DATA.currency}`));
  DATA.situations.forEach(({ words }, at) => situation.append(option(at, words)));
  const nations = [...new Set(DATA.field.map((at) => UNITS[at].nation))].filter((name) => name).sort();
  for (const name of nations) nation.append(option(name, name));
  nation.closest("label").hidden = nations.length < 2;
  $(`option[value="nation"]`, order).hidden = nations.length < 2;
  form.addEventListener("input", () => {
    MAP.at = null;
    point(null);
    drawMap();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  canvas.addEventListener("pointermove", (event) => point(cellUnder(event)));
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => openCell(cellUnder(event)));
  canvas.addEventListener("keydown", walkMap);
  drawnTo($("#map-room"), drawMap);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawMap);
  const pick = $("#pick");
  for (const select of [pick.elements.a, pick.elements.b])
    for (const unit of [...UNITS].sort((a, b) => a.name.localeCompare(b.name, "en")))
      select.append(option(unit.id, unit.name));
  const [first, second] = DATA.plotted[0] ?? [0, UNITS.length - 1];
  pick.elements.a.value = UNITS[first].id;
  pick.elements.b.value = UNITS[second].id;
  pick.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `pair=${pick.elements.a.value},${pick.elements.b.value}`;
  });
}
