// The view of a unit.

function cardOf(unit) {
  const list = make("dl", { class: "card" });
  for (const [name, value] of [[DATA.currency, String(unit.price)], ...unit.card])
    list.append(make("dt", {}, name), make("dd", {}, value));
  return list;
}

function factsOf(unit) {
  return [unit.nation, unit.year, unit.category].filter((word) => word).join(", ");
}

/** Returns the table of opponents that raise and lower the worth of a unit most. */
function reasonTable(unit) {
  const rows = unit.reasons.map(([other, pull, rate]) => [
    unitLink(other),
    [String(UNITS[other].price), UNITS[other].price],
    [pull === "nan" ? "–" : signed(Number(pull), 2), pull],
    [three(rate), rate],
  ]);
  return tableOf(
    `Opponents that raise and lower what ${unit.name} is worth`,
    [
      ["opponent", false],
      [DATA.currency, true],
      ["adds to its worth", true],
      ["exchange rate: theirs for 1 of its own", true],
    ],
    rows,
  );
}

function worthParts(unit) {
  if (unit.score === undefined || unit.worth === "nan") return [];
  const slope = signed(100 * unit.worth_slope);
  const said = [
    `It scores ${percent(unit.score)} for equal ${DATA.currency} at what it costs; level, the mean of all units above the least price, is ${percent(DATA.level)}. ` +
      (unit.worth_slope === "nan" ? "" : `If it costs a tenth more than its worth, its score changes by ${slope} points of 100. `) +
      `With the fewest actions a turn it is worth ${three(unit.worth_fewest_actions)}, with the most ${three(unit.worth_most_actions)}. ` +
      `Units that can't hurt it: ${Number(unit.immune_to) || "none"}; that it can't hurt: ${Number(unit.harmless_to) || "none"}.`,
  ];
  if (unit.flags) said.push(`Reasons for doubt: ${unit.flags}.`);
  if (unit.unseen) said.push(`No battle here shows ${unit.unseen}.`);
  return [
    make("h3", {}, "What it is worth, and why"),
    ...said.map((words) => make("p", {}, words)),
    unit.reasons.length ? reasonTable(unit) : null,
  ];
}

/** Returns in words what one, two and three points more of penetration do. */
function penetrationWords(unit) {
  const [[first]] = unit.penetration;
  const said = unit.penetration.map(([value, more]) => `${value} does more to ${counted(Number(more), "opponent")}`);
  return `Its main gun has a penetration of ${first - 1}. At ${usualRange()} alone, ${said.join(", ")}, each compared with a point less.`;
}

/** Returns the text of the distance with the largest weight. */
function usualRange() {
  const weights = new Map();
  for (const { range, weight } of DATA.situations) weights.set(range, (weights.get(range) ?? 0) + weight);
  const [[range]] = [...weights].sort((a, b) => b[1] - a[1]);
  return distance(range);
}

/** Returns the part on breakpoints: between which values of toughness as many hits destroy it, by class of guns. */
function breakpoints(unit) {
  if (!unit.steps.length) return [];
  const rows = unit.steps.map(([guns, count, , from, to, hits, half]) => [
    guns,
    [String(count), count],
    [three(hits), hits],
    [from === to ? String(from) : `${from} to ${to}`, to],
    [String(to + 1), to + 1],
    [String(half), half],
  ]);
  const [guns, , , from, to] = unit.steps.reduce((best, step) => (step[4] - step[3] > best[4] - best[3] ? step : best));
  const next = Math.min(...unit.steps.map((step) => step[4] + 1));
  const of = unit.steps.filter((step) => step[4] + 1 === next).map((step) => step[0]);
  const [usual, , , , , , half] = unit.steps.reduce((most, step) => (step[1] > most[1] ? step : most));
  const some = new Intl.ListFormat("en-GB").format(of);
  const useful = `With ${next} ${DATA.effect} some guns of ${some} need another hit; half of the guns of ${usual}, the most common, from ${half} on.`;
  const alike = ` With ${from} to ${to} it takes the same number of hits from every gun of ${guns}.`;
  return [
    make("h3", {}, "Where a point more makes a difference"),
    make("p", {}, from === to ? useful : useful + alike),
    unit.penetration.length ? make("p", {}, penetrationWords(unit)) : null,
    tableOf(
      `Hits that destroy ${unit.name}, and the ${DATA.effect} between which their number stays the same`,
      [
        ["guns", false],
        ["of them", true],
        ["hits, mean", true],
        ["the same number with", true],
        ["some need another from", true],
        ["half of them from", true],
      ],
      rows,
    ),
  ];
}

/** Returns the part on readings of the rules that change a unit's chance to win, the largest change first. */
function readingsOf(unit) {
  const rows = [];
  let tried = 0;
  for (const { reading, units, tenths } of DATA.gains) {
    const at = units.indexOf(unit.at);
    if (at < 0) continue;
    tried += 1;
    if (Math.abs(tenths[at]) >= 1) rows.push([reading, [signed(tenths[at] / 10), tenths[at]]]);
  }
  if (!tried) return [];
  rows.sort((a, b) => Math.abs(b[1][1]) - Math.abs(a[1][1]));
  return [
    make("h3", {}, "Readings of the rules that matter to it in duels"),
    rows.length
      ? tableOf(
          `How other readings change the chance of ${unit.name} to win a duel, in percentage points`,
          [
            ["reading", false],
            ["points", true],
          ],
          rows,
        )
      : make("p", {}, "No other reading moves its chance to win by a tenth of a percentage point."),
  ];
}

/** Returns a chart of a unit's scores against all opponents, by their prices. */
function strip(unit) {
  const holder = make("div", { class: "chart" });
  const points = met(unit.at)
    .filter(({ other }) => UNITS[other].price > 0)
    .map(({ other, score: found, draw }) => ({
      id: UNITS[other].id,
      name: UNITS[other].name,
      x: UNITS[other].price,
      y: found,
      kind: draw >= 0.5 ? "drawn" : found > EVEN[1] ? "above" : found < EVEN[0] ? "below" : "level",
      said: `${UNITS[other].price}: ${draw >= 0.5 ? "a draw" : `${unit.name} wins ${percent(found)}`}`,
    }));
  if (!points.length) return null;
  const prices = points.map((one) => one.x);
  const range = [Math.min(...prices) / 1.1, Math.max(...prices) * 1.1];
  drawnTo(holder, (width) =>
    scatter(holder, width, {
      points,
      label: `Chance of ${unit.name} to win against each unit, by what that costs; the lists have the numbers`,
      x: {
        range,
        log: true,
        words: tick,
        label: `${DATA.currency} of the opponent`,
      },
      y: {
        range: [-0.03, 1.03],
        words: (at) => `${Math.round(100 * at)}\u00a0%`,
        label: "wins, a draw counting half",
      },
      beneath: (across, up) => [
        line(across(range[0]), up(0.5), across(range[1]), up(0.5), {
          class: "fair",
        }),
        ...(unit.price > range[0] && unit.price < range[1]
          ? [
              line(across(unit.price), up(0), across(unit.price), up(1), {
                class: "own",
              }),
            ]
          : []),
      ],
      open: (found) => (location.hash = `pair=${unit.id},${found.id}`),
    }),
  );
  return holder;
}

/** Returns the table of all opponents, folded; its rows are made when it is opened. */
function everyone(unit) {
  const details = make("details", {}, make("summary", {}, "All opponents as a table"));
  details.addEventListener("toggle", () => {
    if (details.children.length > 1) return;
    const rows = met(unit.at).map(({ other, score: found, draw }) => {
      const equal = equalScore(unit.at, other);
      const cells = [
        unitLink(other),
        [String(UNITS[other].price), UNITS[other].price],
        [percent(found), found],
        [percent(draw), draw],
      ];
      return SCORES ? [...cells, [equal === null ? "–" : percent(equal), equal ?? -1]] : cells;
    });
    const columns = [
      ["opponent", false],
      [DATA.currency, true],
      ["wins, a draw counting half", true],
      ["draws", true],
    ];
    if (SCORES) columns.push([`scores for equal ${DATA.currency}`, true]);
    details.append(tableOf(`${unit.name} against everyone`, columns, rows));
  });
  return details;
}

function unitView(at) {
  const unit = UNITS[at];
  const { beats, even, fears } = opponents(at);
  const drawn = met(at).length - beats.length - even.length - fears.length;
  const targets = [...beats.slice(0, 1), ...even.slice(0, 1), ...fears.slice(0, 1)];
  return [
    make("p", { class: "back" }, make("a", { href: "#units" }, "← All units")),
    make("h2", { tabindex: -1 }, unit.name),
    make("p", { class: "note" }, factsOf(unit)),
    make("p", { class: "lead" }, unit.verdict),
    unit.note ? make("p", { class: "remark" }, `On the card: ${unit.note}`) : null,
    printChoice(at),
    cardOf(unit),
    make("h3", {}, "Against everyone, one against one"),
    strip(unit),
    drawn
      ? make("p", { class: "note" }, `Hollow: half or more of the duels are drawn (${counted(drawn, "unit")}, in no list below).`)
      : null,
    make(
      "div",
      { class: "three" },
      listOf("Beats alone, the dearest first", "wins 65\u00a0% or more of its duels with each", at, beats, "dearest"),
      listOf("About even alone", "wins 35 to 65\u00a0% of them", at, even, "most even"),
      listOf("Fears alone, the cheapest first", "wins 35\u00a0% or less of them, whatever they cost", at, fears, "cheapest"),
    ),
    everyone(unit),
    make("h3", {}, `Best answers to it, ${DATA.currency} for ${DATA.currency}`),
    make("p", { class: "note" }, `${answersInWords(at)} ${listed(answers(at), "best")}; where two are alike, the cheaper first.`),
    answers(at).length ? answerTable(at) : make("p", {}, "Nobody does better than even for what it costs."),
    ...worthParts(unit),
    ...breakpoints(unit),
    targets.length ? make("h3", {}, "How soon it destroys them, by range") : null,
    targets.length
      ? killPicture(
          targets.map(({ other }) => [at, other, UNITS[other].name]),
          Math.min(DATA.within, DATA.kills.turns),
          0,
          `Chance of ${unit.name} to destroy ${targets.map(({ other }) => UNITS[other].name).join(", ")}, by range`,
        )
      : null,
    ...readingsOf(unit),
  ].filter((part) => part);
}
