// The tables of the report, unpacked from the page's JSON; `report/page/data.py` packs them. Units are named by their
// place in the roster.

const DATA = JSON.parse($("#data").textContent);
const UNITS = DATA.units;
const SURE = 64000;
const ARRAYS = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  f4: Float32Array,
};
const PLACE = new Map(UNITS.map((unit, at) => [unit.id, at]));
UNITS.forEach((unit, at) => (unit.at = at));

function unpacked({ type, data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return new ARRAYS[type](bytes.buffer);
}

/** A table of which equal rows are stored once; `index` says which of them each row is. */
class Distinct {
  constructor({ rows, index, width }) {
    this.rows = unpacked(rows);
    this.index = unpacked(index);
    this.width = width;
  }

  at(row, column) {
    return this.rows[this.index[row] * this.width + column];
  }
}

const WINS = new Distinct(DATA.wins);
const DRAWS = new Distinct(DATA.draws);
const SHOTS = new Distinct(DATA.shots);
const SHOT = Object.fromEntries(["need", "p", "damage", "turns"].map((name) => [name, unpacked(DATA.shots[name])]));
const KILLS = new Distinct(DATA.kills);
const CURVES = unpacked(DATA.kills.curves);
const SCORES = DATA.scores && unpacked(DATA.scores.values);
const FIGHTS = new Set(DATA.scores ? DATA.scores.fights : []);

/** Returns options for a choice of all units, by name. */
function unitOptions() {
  const byName = [...UNITS].sort((a, b) => byWords(a.name, b.name));
  return byName.map((unit) => option(unit.id, unit.name));
}

const pairOf = (a, b) => a * UNITS.length + b;

/** Returns the chances of a to win and to draw its duel with b: in a situation, or in the weighted mean of all. */
function duel(a, b, situation = null) {
  const pair = pairOf(a, b);
  if (situation !== null)
    return {
      win: WINS.at(pair, situation) / SURE,
      draw: DRAWS.at(pair, situation) / SURE,
    };
  let [win, draw] = [0, 0];
  DATA.situations.forEach(({ weight }, at) => {
    win += (weight * WINS.at(pair, at)) / SURE;
    draw += (weight * DRAWS.at(pair, at)) / SURE;
  });
  return { win, draw };
}

/** Returns the score of a in duels with b, a draw counting half; the mean of a attacking b and of b attacking a. */
function score(a, b) {
  const [own, other] = [duel(a, b), duel(b, a)];
  const half = (one) => one.win + one.draw / 2;
  return {
    score: (half(own) + 1 - half(other)) / 2,
    draw: (own.draw + other.draw) / 2,
  };
}

/** Returns the score of a against b for equal requisition; null if no battle was fought. */
function equalScore(a, b) {
  return FIGHTS.has(a) && FIGHTS.has(b) && a !== b ? SCORES[pairOf(a, b)] / SURE : null;
}

function shot(a, b, situation) {
  const which = SHOTS.at(pairOf(a, b), situation);
  return {
    need: SHOT.need[which],
    p: SHOT.p[which] / SURE,
    damage: SHOT.damage[which],
    turns: SHOT.turns[which],
  };
}

/** Returns the chance that a destroys b within some turns, for each step of the distance. */
function kills(a, b, face, turns) {
  const steps = DATA.kills.starts.length;
  return DATA.kills.starts.map((_, step) => {
    const curve = KILLS.at(pairOf(a, b), face * steps + step);
    return CURVES[curve * DATA.kills.turns + turns - 1] / SURE;
  });
}

/** Returns the text of a distance. */
function distance(range) {
  return `${range}${range === 1 ? DATA.length.one : DATA.length.after}`;
}

/** Returns the text of each span of distances that begins with one of some steps, in words: 0–6″. */
function spans(firsts) {
  const { end } = DATA.kills;
  const starts = firsts.map((step) => DATA.kills.starts[step]);
  return starts.map((start, at) => {
    const last = at + 1 < starts.length ? starts[at + 1] - 1 : end;
    return start === last ? distance(start) : `${start}–${distance(last)}`;
  });
}

function needInWords(need) {
  const { die } = DATA;
  if (need === 0) return "–";
  if (need > die) return "impossible";
  return need === 1 ? "automatic" : `${need}+`;
}
