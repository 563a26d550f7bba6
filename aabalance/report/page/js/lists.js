// Lists of units: whom a unit beats, whom it fears, and the best answers to it.

const EVEN = [0.35, 0.65];
const MOST_LISTED = 12;

function unitLink(at, words = UNITS[at].name) {
  return make("a", { href: `#unit=${UNITS[at].id}` }, words);
}

function pairLink(a, b, words) {
  return make("a", { href: `#pair=${UNITS[a].id},${UNITS[b].id}` }, words);
}

/** Returns the opponents of a unit in the field, each with the unit's score against it. */
function met(at) {
  return DATA.field.filter((other) => other !== at).map((other) => ({ other, ...score(at, other) }));
}

const dearest = (a, b) => UNITS[b.other].price - UNITS[a.other].price;
const cheapest = (a, b) => UNITS[a.other].price - UNITS[b.other].price;

/** Returns the opponents that a unit beats, is even with, and fears; those with whom it mostly draws are left out. */
function opponents(at) {
  const fought = met(at).filter(({ draw }) => draw < 0.5);
  return {
    beats: fought.filter((one) => one.score > EVEN[1]).sort(dearest),
    even: fought
      .filter((one) => one.score >= EVEN[0] && one.score <= EVEN[1])
      .sort((a, b) => Math.abs(a.score - 0.5) - Math.abs(b.score - 0.5)),
    fears: fought.filter((one) => one.score < EVEN[0]).sort(cheapest),
  };
}

/** Returns the number of units in a list, and which of them are listed if it has more than there is room for. */
function listed(rows, first) {
  return `${counted(rows.length, "unit")}${rows.length > MOST_LISTED ? `, here the ${MOST_LISTED} ${first}` : ""}`;
}

function listOf(title, said, at, rows, first) {
  const list = make("ol", { class: "met" });
  for (const { other, score: found } of rows.slice(0, MOST_LISTED))
    list.append(
      make(
        "li",
        {},
        unitLink(other),
        make("span", { class: "price" }, ` ${UNITS[other].price} `),
        pairLink(at, other, percent(found)),
      ),
    );
  return make(
    "div",
    {},
    make("h3", {}, title),
    make("p", { class: "note" }, `${listed(rows, first)}; ${said}`),
    rows.length ? list : make("p", {}, "nobody"),
  );
}

/** Returns the best answers to a unit for their price, with what each gets, the best first; equals by price. */
function answers(at) {
  if (FIGHTS.has(at))
    return [...FIGHTS]
      .filter((other) => other !== at)
      .map((other) => ({ other, gets: equalScore(other, at) }))
      .filter(({ gets }) => gets > 0.5)
      .sort((a, b) => Math.round(1000 * b.gets) - Math.round(1000 * a.gets) || cheapest(a, b));
  // Points taken for each point lost, one against one: a draw takes none, as in `requisition_exchange_ratio`.
  return met(at)
    .filter(({ draw }) => draw < 0.5)
    .map(({ other, score: found, draw }) => ({
      other,
      gets: ((1 - found - draw / 2) * UNITS[at].price) / (Math.max(found - draw / 2, 0.001) * UNITS[other].price),
    }))
    .filter(({ gets }) => Number(three(gets)) > 1)
    .sort((a, b) => b.gets - a.gets || cheapest(a, b));
}

/** Returns an explanation of how answers are compared, and why these aren't the units that it fears one against one. */
function answersInWords(at) {
  if (FIGHTS.has(at))
    return (
      `Equal ${DATA.currency} of each against equal ${DATA.currency} of it, at what the cards cost: several cheap units can answer what ` +
      "beats each of them alone, and a dear one that it fears alone can be a poor answer."
    );
  return (
    "Points taken for each point lost, one against one; a draw takes none. A cheap unit that often loses can be a good " +
    "answer, and a dear one that it fears a poor one."
  );
}

function answerTable(at) {
  const rows = answers(at)
    .slice(0, MOST_LISTED)
    .map(({ other, gets }) => {
      const one = score(other, at).score;
      return [
        unitLink(other),
        [String(UNITS[other].price), UNITS[other].price],
        [FIGHTS.has(at) ? percent(gets) : three(gets), gets],
        [percent(one), one],
      ];
    });
  const gets = FIGHTS.has(at) ? `scores for equal ${DATA.currency}` : `${DATA.currency} taken for each point lost`;
  return tableOf(
    `Best answers to ${UNITS[at].name} for what they cost`,
    [
      ["unit", false],
      [DATA.currency, true],
      [gets, true],
      ["one against one", true],
    ],
    rows,
  );
}
