// The heat map of who wins: a cell for each two units. It is a canvas, since so many elements would be slow.

const LEAST_NAMED = 9;
const NAMES_LEFT = 190;
const BANDS = 6;
const LETTER = 12;
const WIDEST = 860;
const MAP = {
  canvas: $("#heatmap"),
  form: $("#heat"),
  tip: $("#heat-tip"),
  hint: $("#heat-tip").textContent,
  rows: [],
  cell: 0,
  left: 0,
  top: 0,
  at: null,
};

const NOT_RATED = "not rated";
const ORDERS = {
  price: (a, b) => UNITS[a].price - UNITS[b].price || byWords(UNITS[a].name, UNITS[b].name),
  nation: (a, b) => byWords(UNITS[a].nation, UNITS[b].nation) || ORDERS.price(a, b),
  category: (a, b) => byWords(UNITS[a].category, UNITS[b].category) || ORDERS.price(a, b),
  name: (a, b) => byWords(UNITS[a].name, UNITS[b].name),
};

/** Returns the numbers of a cell: score, chances to win and to draw; null where nothing was fought. */
function cellOf(a, b) {
  const chosen = MAP.form.elements.situation.value;
  if (chosen === "equal") {
    const found = equalScore(a, b);
    return found === null ? null : { score: found, draw: 0 };
  }
  const { win, draw } = duel(a, b, chosen === "all" ? null : Number(chosen));
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

/** Returns 101 colours, for scores of 0 to 100 percent. */
function ramp() {
  const stops = ["--lose", "--behind", "--even", "--ahead", "--win"].map(colourOf);
  return Array.from({ length: 101 }, (_, at) => {
    const place = Math.min(at / 25, 3.999);
    return mixed(stops[Math.floor(place)], stops[Math.floor(place) + 1], place % 1);
  });
}

/** Returns groups of neighbours in an order, with begin, end and name: of a nation, a kind, a letter or a price. */
function groupsOf(rows, order) {
  const wordOf = {
    nation: ({ nation }) => nation,
    category: ({ category }) => category,
    name: ({ name }) => name[0].toUpperCase(),
  }[order];
  const rated = rows.filter((at) => isRated(UNITS[at]));
  const starts = wordOf
    ? rated.flatMap((at, n) => (n && wordOf(UNITS[at]) === wordOf(UNITS[rows[n - 1]]) ? [] : [n]))
    : bandsOf(rated.map((at) => UNITS[at].price));
  if (rated.length < rows.length) starts.push(rated.length);
  return [...new Set(starts)].map((from, n, all) => {
    const to = all[n + 1] ?? rows.length;
    if (from === rated.length) return { from, to, words: NOT_RATED };
    const [first, last] = [UNITS[rows[from]], UNITS[rows[to - 1]]];
    const span = first.price === last.price ? String(first.price) : `${first.price}–${last.price}`;
    return { from, to, words: wordOf ? wordOf(first) : span };
  });
}

/** Returns where bands of rising prices begin, which are nearly equal in size; equal prices stay in one band. */
function bandsOf(prices) {
  const starts = [0];
  for (let n = 1; n < BANDS; n++) {
    let at = Math.round((n * prices.length) / BANDS);
    while (at < prices.length && prices[at] === prices[at - 1]) at++;
    if (at > starts[starts.length - 1] && at < prices.length) starts.push(at);
  }
  return starts;
}

/** Draws lines between the units that are rated and the others, which come last. */
function parted(pen, paper) {
  const { left, top, cell, rows } = MAP;
  const from = rows.filter((at) => isRated(UNITS[at])).length * cell;
  if (from === rows.length * cell) return;
  pen.fillStyle = paper;
  pen.fillRect(left, top + from - 2.5, cell * rows.length, 4);
  pen.fillRect(left + from - 2.5, top, 4, cell * rows.length);
}

/** Writes the names of groups beside the map, and separates them by lines. */
function drawGroups(pen, groups, heading, upright, paper, ink) {
  const { left, top, cell, rows } = MAP;
  const side = cell * rows.length;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  pen.fillStyle = ink;
  pen.fillText(heading, left - 9, top - 14);
  for (const { from, to, words } of groups) {
    const [start, middle, length] = [from * cell, ((from + to) / 2) * cell, (to - from) * cell];
    pen.fillStyle = paper;
    if (from) {
      const wide = words === NOT_RATED ? 4 : 1.5;
      pen.fillRect(left, top + start - wide / 2, side, wide);
      pen.fillRect(left + start - wide / 2, top, wide, side);
    }
    if (length < LETTER) continue;
    pen.fillStyle = ink;
    pen.fillRect(left - 4, top + start + 1, 1, length - 2);
    pen.fillRect(left + start + 1, top - 4, length - 2, 1);
    pen.textAlign = "right";
    pen.fillText(words, left - 9, top + middle);
    if (words === NOT_RATED && !upright) continue;
    pen.save();
    pen.translate(left + middle, top - 9);
    if (upright) pen.rotate(-Math.PI / 2);
    pen.textAlign = upright ? "left" : "center";
    pen.fillText(words, 0, upright ? 0 : -5);
    pen.restore();
  }
}

function drawMap() {
  const { canvas, form } = MAP;
  const room = $("#map-room").clientWidth;
  if (!room) return;
  const nation = form.elements.nation.value;
  const inOrder = ORDERS[form.elements.order.value];
  MAP.rows = DATA.field
    .filter((at) => !nation || UNITS[at].nation === nation)
    .sort((a, b) => isRated(UNITS[b]) - isRated(UNITS[a]) || inOrder(a, b));
  const count = Math.max(MAP.rows.length, 1);
  const named = room >= 560 && (Math.min(room, WIDEST) - NAMES_LEFT) / count >= LEAST_NAMED;
  const pen = canvas.getContext("2d");
  const font = `${LETTER}px system-ui, sans-serif`;
  pen.font = font;
  const { order } = form.elements;
  const groups = named ? [] : groupsOf(MAP.rows, order.value);
  const heading = order.selectedOptions[0].textContent;
  const widthOf = (words) => pen.measureText(words).width;
  const widest = Math.max(...[heading, ...groups.map(({ words }) => words)].map(widthOf));
  MAP.left = named || room >= WIDEST ? NAMES_LEFT : widest + 14;
  MAP.cell = Math.min(44, (Math.min(room, WIDEST) - MAP.left) / count);
  const narrow = ({ from, to, words }) => widthOf(words) > (to - from) * MAP.cell - 4;
  const upright = groups.some((group) => group.words !== NOT_RATED && narrow(group));
  MAP.top = named ? 150 : upright ? widest + 14 : 2 * LETTER + 4;
  const side = MAP.cell * count;
  const [width, height] = [MAP.left + side, MAP.top + side];
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  pen.scale(sharp, sharp);
  const [colours, draw, none, ink, paper] = [ramp(), ...["--draw", "--soft", "--ink", "--paper"].map(colourOf)];
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
  pen.font = font;
  MAP.named = named;
  if (named) parted(pen, paper);
  if (!named) drawGroups(pen, groups, heading, upright, paper, ink);
  else {
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
  for (const name of $$(".heat-name")) name.hidden = !at || MAP.named;
  if (!at) return;
  mark.style.left = `${left + at[1] * cell - 2}px`;
  mark.style.top = `${top + at[0] * cell - 2}px`;
  mark.style.width = mark.style.height = `${cell}px`;
  const [row, column] = [$("#heat-row"), $("#heat-column")];
  row.textContent = UNITS[MAP.rows[at[0]]].name;
  column.textContent = UNITS[MAP.rows[at[1]]].name;
  row.style.left = `${Math.max(0, left - 6 - row.offsetWidth)}px`;
  row.style.top = `${top + (at[0] + 0.5) * cell - row.offsetHeight / 2}px`;
  const middle = left + (at[1] + 0.5) * cell - column.offsetWidth / 2;
  column.style.left = `${Math.max(0, Math.min(middle, left + cell * MAP.rows.length - column.offsetWidth))}px`;
  column.style.top = `${top - 6 - column.offsetHeight}px`;
}

function inWords(a, b) {
  const found = cellOf(a, b);
  const [one, other] = [UNITS[a], UNITS[b]];
  const who = `${one.name} (${one.price}) v ${other.name} (${other.price})`;
  if (!found) return `${who}: no battle compares them`;
  if (found.win === undefined) return `${who}: scores ${percent(found.score)} for equal ${DATA.currency}`;
  return `${who}: wins ${percent(found.win)}${found.draw ? `, draws ${percent(found.draw)}` : ""}`;
}

/** Marks a cell, given as [row, column], and shows its numbers in words; null marks none. */
function point(at, aloud = false) {
  MAP.at = at;
  frameCell();
  MAP.tip.textContent = at ? inWords(MAP.rows[at[0]], MAP.rows[at[1]]) : MAP.hint;
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
  pointable(canvas, { under: cellUnder, shown: () => MAP.at, show: point, open: openCell });
  canvas.addEventListener("keydown", walkMap);
  drawnTo($("#map-room"), drawMap);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawMap);
  const pick = $("#pick");
  for (const select of [pick.elements.a, pick.elements.b]) select.append(...unitOptions());
  const [first, second] = DATA.plotted[0] ?? [0, UNITS.length - 1];
  pick.elements.a.value = UNITS[first].id;
  pick.elements.b.value = UNITS[second].id;
  pick.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `pair=${pick.elements.a.value},${pick.elements.b.value}`;
  });
}
