// The view of two units against each other, in every situation.

/** Returns the table of a's attacks and chances, situation by situation. */
function situationTable(a, b) {
  const rows = DATA.situations.map(({ words, weight }, at) => {
    const { win, draw } = duel(a, b, at);
    const { need, p, damage, turns } = shot(a, b, at);
    const cells = [words, [percent(weight), weight], [percent(win), win], [percent(draw), draw]];
    if (DATA.die) cells.push([needInWords(need), need]);
    return [...cells, [percent(p), p], [three(damage), damage], [three(turns), turns]];
  });
  const columns = [
    ["situation", false],
    ["weight", true],
    ["wins", true],
    ["draws", true],
    ...(DATA.die ? [["needs", true]] : []),
    [`chance of any ${DATA.effect}`, true],
    [`mean ${DATA.effect}`, true],
    ["turns to kill", true],
  ];
  return tableOf(`${UNITS[a].name} attacks ${UNITS[b].name}, by situation`, columns, rows);
}

function pairLead(a, b) {
  const { score: found, draw } = score(a, b);
  const [one, other] = [UNITS[a].name, UNITS[b].name];
  if (draw >= 0.5) return `One against one, ${one} and ${other} mostly draw: ${percent(draw)} of duels have no winner.`;
  const [ahead, behind, share] = found >= 0.5 ? [one, other, found] : [other, one, 1 - found];
  const how = share > 0.9 ? "has nothing to fear from" : share > EVEN[1] ? "beats" : "is about even with";
  return `One against one, ${ahead} ${how} ${behind}: it wins ${percent(share)} of duels, a draw counting half.`;
}

function equalLead(a, b) {
  const found = equalScore(a, b);
  if (found === null) return null;
  return make(
    "p",
    { class: "lead" },
    `For equal ${DATA.currency}, at what the cards cost, ${UNITS[a].name} scores ${percent(found)}, ` +
      `${UNITS[b].name} ${percent(1 - found)}.`,
  );
}

/** Returns a picture of the chance that attackers destroy targets within some turns, by distance, at a face. */
function killPicture(pairs, turns, face, label) {
  const holder = make("div", { class: "chart" });
  drawnTo(holder, (width) => drawKills(holder, width, { pairs, turns, face, label }));
  return holder;
}

function drawKills(holder, width, { pairs, turns, face, label }) {
  const { starts, end } = DATA.kills;
  // A band includes its last inch, and the next one begins behind it; a hex or a square is a step of its own.
  const half = DATA.length.whole ? 0.5 : 0;
  curves(holder, width, {
    series: pairs.map(([a, b, name]) => ({
      name,
      values: kills(a, b, face, turns),
    })),
    x: {
      edges: [...starts.map((at) => Math.max(0, at - 1 + half)), end + half],
      ticks: ticks(starts[0], end, Math.floor(width / 80)).filter(Number.isInteger),
      label: `range, ${DATA.length.name}`,
    },
    y: `destroyed within ${counted(turns, "turn")}`,
    label,
  });
}

function command(words) {
  return make("code", {}, `aabalance ${words}${DATA.options}`);
}

function pairView(a, b) {
  const [one, other] = [UNITS[a], UNITS[b]];
  const heaviest = DATA.situations.reduce((best, found) => (found.weight > best.weight ? found : best));
  const range = `--range ${heaviest.range}`;
  const limit = DATA.rounds ? ` --rounds ${DATA.rounds}` : "";
  return [
    make("p", { class: "back" }, make("a", { href: "#wins" }, "← Who wins")),
    make("h2", { tabindex: -1 }, `${one.name} v ${other.name}`),
    make("p", { class: "lead" }, pairLead(a, b)),
    equalLead(a, b),
    make("p", {}, unitLink(a), ` costs ${one.price}, `, unitLink(b), ` ${other.price}.`),
    a === b
      ? null
      : killPicture(
          [
            [a, b, `${one.name} fires`],
            [b, a, `${other.name} fires`],
          ],
          Math.min(DATA.within, DATA.kills.turns),
          0,
          `Chance of ${one.name} and ${other.name} to destroy each other, by range; the tables below have more`,
        ),
    make("h3", {}, `${one.name} attacks`),
    situationTable(a, b),
    a === b ? null : make("h3", {}, `${other.name} attacks`),
    a === b ? null : situationTable(b, a),
    make(
      "p",
      { class: "note" },
      "What a shot needs and why, and how the duel goes turn by turn: ",
      command(`shot ${one.id} ${other.id} ${range} --explain`),
      " and ",
      command(`duel ${one.id} ${other.id} ${range}${limit}`),
      ".",
    ),
  ].filter((part) => part);
}
