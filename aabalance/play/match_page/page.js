"use strict";
const { units, scenes, steps, end, larger, middles } = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SQUARE = 10;
const ROOM = 0.45 * SQUARE;
const PLAY_MS = 900;
const marks = [...document.querySelectorAll(".unit")];
const entries = [...document.querySelectorAll("#steps a")];
const rows = [...document.querySelectorAll("#roster tbody tr")];
/** The first scene that each unit is in: some are bought or raised later. */
const comes = units.map((_, unit) => scenes.findIndex((scene) => scene.pieces.some(([one]) => one === unit)));
let at = 0;
let timer = null;

const middle = (square) => middles[square[1]][square[0]];

function draw(parent, name, attributes, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  parent.append(node);
}

function item(parent, name, text, kind = "") {
  const node = document.createElement(name);
  node.textContent = text;
  node.className = kind;
  parent.append(node);
  return node;
}

/** The units of a scene by number: square, strength, facing, carrier, condition. */
function standing(scene) {
  const found = new Map();
  for (const [unit, square, strength, facing, inside, condition] of scene.pieces) {
    found.set(unit, { square, strength, facing, inside, condition });
  }
  return found;
}

/** The units that an action names, in its order. */
function named(action) {
  const words = action.split(" ").map((word) => word.split(".")[0]);
  return words.map((word) => units.findIndex((unit) => unit.mark === word)).filter((unit) => unit >= 0);
}

/** Where units are drawn, and how large. Units that share a square stand in two columns; neighbours make room for each other. */
function places(now) {
  const sharing = new Map();
  for (const [unit, { square }] of now) if (square) sharing.set(String(square), [...(sharing.get(String(square)) ?? []), unit]);
  const crowds = [...sharing.values()];
  const centres = apart(crowds.map(([unit]) => middle(now.get(unit).square)));
  const found = new Map();
  crowds.forEach((crowd, at) => {
    const lines = Math.ceil(crowd.length / 2);
    const scale = crowd.length > 1 ? Math.min(0.58, 0.9 / lines) : 1;
    const [x, y] = centres[at];
    crowd.forEach((unit, number) => {
      const across = crowd.length > 1 ? (number % 2) - 0.5 : 0;
      const down = Math.floor(number / 2) - (lines - 1) / 2;
      found.set(unit, [x + across * 0.48 * SQUARE, y + (down * SQUARE) / lines, scale * larger]);
    });
  });
  return found;
}

/** The places, moved from each other inside their squares, where symbols are drawn larger than these. */
function apart(places) {
  const moved = places.map((place) => [...place]);
  for (let turn = 0; turn < 12; turn++) {
    for (let one = 0; one < moved.length; one++) {
      for (let other = 0; other < one; other++) {
        const [across, down] = [0, 1].map((axis) => moved[one][axis] - moved[other][axis]);
        const far = Math.hypot(across, down) || 1;
        const short = SQUARE * larger - far;
        if (short < 1e-6) continue;
        [across, down].forEach((by, axis) => {
          moved[one][axis] += (by / far) * (short / 2);
          moved[other][axis] -= (by / far) * (short / 2);
        });
      }
    }
    moved.forEach((place, at) => place.forEach((where, axis) => {
      place[axis] = Math.min(Math.max(where, places[at][axis] - ROOM), places[at][axis] + ROOM);
    }));
  }
  return moved;
}

function placeUnits(now, actor) {
  const placed = places(now);
  marks.forEach((mark, unit) => {
    const one = now.get(unit);
    mark.classList.toggle("away", !one?.square);
    mark.classList.toggle("acts", unit === actor);
    if (one?.square) {
      const [x, y, scale] = placed.get(unit);
      mark.style.transform = `translate(${x}px,${y}px) scale(${scale})`;
      mark.querySelector(".left").setAttribute("width", (7.8 * one.strength) / units[unit].most);
      const facing = mark.querySelector(".facing");
      facing.style.display = one.facing === null ? "none" : "";
      facing.setAttribute("transform", `rotate(${one.facing ?? 0})`);
    }
    const row = rows[unit];
    const where = one?.square ? "" : one?.inside ? `, in ${one.inside}` : one ? ", off the board" : "";
    row.lastElementChild.textContent = one ? [`${one.strength} of ${units[unit].most}${where}`, one.condition].filter(Boolean).join(", ") : at ? "gone" : "";
    row.classList.toggle("gone", !one);
    row.hidden = at < comes[unit];
  });
}

/** What a decision did, as lines and numbers on the board. */
function showEffects(before, now, action) {
  const [old, placed] = [places(before), places(now)];
  const [actor, ...others] = named(action);
  const from = old.get(actor) ?? placed.get(actor);
  for (const other of others) {
    const to = old.get(other);
    if (!from || !to) continue;
    const [[x1, y1], [x2, y2]] = [from, to];
    const enemy = units[other].side !== units[actor].side;
    draw($("effects"), "line", { x1, y1, x2, y2, stroke: enemy ? "#c40000" : "#222", "stroke-width": enemy ? 1.1 : 0.5 });
    if (enemy) draw($("effects"), "circle", { cx: x2, cy: y2, r: 4.9 * larger, fill: "none", stroke: "#c40000", "stroke-width": 0.8 });
  }
  for (const [unit, was] of before) {
    const one = now.get(unit);
    if (was.square && one?.square && String(was.square) !== String(one.square)) {
      const [[x1, y1], [x2, y2]] = [old.get(unit), placed.get(unit)];
      draw($("tracks"), "line", { x1, y1, x2, y2, stroke: "#222", "stroke-width": 0.7, "stroke-dasharray": "2 1.4" });
    }
    const change = (one?.strength ?? 0) - was.strength;
    if (!change) continue;
    const where = placed.get(unit) ?? old.get(unit);
    if (!where) continue;
    const [x, y] = where;
    const by = 4 * larger;
    if (!one) draw($("effects"), "path", { d: `M${x - by} ${y - by}l${2 * by} ${2 * by}m0-${2 * by}l-${2 * by} ${2 * by}`, stroke: "#c40000", "stroke-width": 1.4 });
    const said = change > 0 ? `+${change}` : `−${-change}`;
    draw($("effects"), "text", { x, y: y - 1.5 * by, class: "halo", "font-size": 5 * larger, "font-weight": 700, fill: "#c40000" }, said);
  }
}

function show(where, still = false) {
  at = Math.min(Math.max(where, 0), steps.length);
  document.body.classList.toggle("still", still);
  const scene = scenes[at];
  const step = steps[at - 1];
  for (const id of ["cleared", "owners", "tracks", "effects", "effect", "dice"]) $(id).replaceChildren();
  for (const [x, y] of scene.cleared) {
    draw($("cleared"), "rect", { x: x * SQUARE, y: y * SQUARE, width: SQUARE, height: SQUARE, fill: "#fff", opacity: 0.8 });
  }
  for (const [column, row, side] of scene.owners) {
    const [x, y] = middle([column, row]);
    draw($("owners"), "use", { href: `#side-${side}`, transform: `translate(${x - 3.1},${y - 3.1}) scale(.38)` });
  }
  const now = standing(scene);
  placeUnits(now, step ? named(step.action)[0] : -1);
  if (step) showEffects(standing(scenes[at - 1]), now, step.action);
  for (const [sides, asked, faces, met] of step?.dice ?? []) {
    const roll = item($("dice"), "span", "", "roll");
    faces.forEach((face, number) => {
      const die = item(roll, "span", face, met[number] ? "met die" : "die");
      if (sides !== 6) item(die, "small", ` of ${sides}`);
    });
    if (asked) item(roll, "span", `for ${asked}`);
  }
  for (const did of step?.did.split("; ") ?? []) item($("effect"), "li", did);
  $("rule").textContent = step?.rule ?? "";
  const next = steps[at];
  $("turn").textContent = `${scene.round ? `Round ${scene.round}` : "Before round 1"}: ${next ? `${next.side} to move` : end}`;
  $("action").textContent = step ? `${step.side}: ${step.told}` : "The start";
  $("count").textContent = `${at} of ${steps.length}`;
  $("at").value = at;
  $("at").setAttribute("aria-valuetext", `decision ${at} of ${steps.length}`);
  const body = $("score").tBodies[0];
  body.replaceChildren();
  for (const [what, [a, b]] of Object.entries(scene.score)) {
    const row = item(body, "tr", "");
    item(row, "th", what).scope = "row";
    item(row, "td", a);
    item(row, "td", b);
  }
  $("hands").replaceChildren();
  for (const [side, hand] of Object.entries(scene.hands)) item($("hands"), "li", `${side} holds ${hand || "no card"}`);
  document.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const entry = entries[at - 1];
  entry?.setAttribute("aria-current", "step");
  if (entry) $("steps").scrollTop = entry.offsetTop - $("steps").offsetTop - $("steps").clientHeight / 2;
}

function pause() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = "▶";
  $("play").setAttribute("aria-label", "Play");
  $("now").setAttribute("aria-live", "polite");
}

function toggle() {
  if (timer !== null) {
    pause();
    return;
  }
  if (at === steps.length) show(0, true);
  $("play").textContent = "❚❚";
  $("play").setAttribute("aria-label", "Pause");
  $("now").setAttribute("aria-live", "off");
  timer = setInterval(() => {
    show(at + 1);
    if (at === steps.length) pause();
  }, PLAY_MS);
}

function go(where, still = false) {
  pause();
  show(where, still);
}

const moves = { Home: () => go(0, true), ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), End: () => go(steps.length, true) };
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const pressed = event.target.closest("button, a, summary");
  const move = event.key === " " && !pressed ? toggle : moves[event.key];
  if (!move) return;
  event.preventDefault();
  move();
});
$("first").onclick = moves.Home;
$("back").onclick = moves.ArrowLeft;
$("play").onclick = toggle;
$("next").onclick = moves.ArrowRight;
$("last").onclick = moves.End;
$("at").oninput = (event) => go(Number(event.target.value), true);
entries.forEach((entry, number) => {
  entry.onclick = (event) => {
    event.preventDefault();
    go(number + 1, true);
  };
});
document.documentElement.classList.add("scripts");
show(Number(location.hash.slice(1)) || 0, true);
