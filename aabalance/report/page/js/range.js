// The chart of how soon chosen attackers destroy a target, by distance.

const RANGE = { form: $("#reach"), chosen: [] };
const MOST_CURVES = 6;

function drawRange(width) {
  const { target, face, turns } = RANGE.form.elements;
  const at = PLACE.get(target.value);
  const within = Number(turns.value);
  const shown = Number(face.value || 0);
  $("#turns-shown").textContent = counted(within, "turn");
  const pairs = RANGE.chosen.map((a) => [a, at, UNITS[a].name]);
  const holder = $("#range-chart");
  const said = `Chance to destroy ${UNITS[at].name} within ${counted(within, "turn")}, by range`;
  if (!pairs.length) {
    holder.replaceChildren(make("p", {}, "Add an attacker."));
    $("#range-table").replaceChildren();
    return;
  }
  drawKills(holder, width, {
    pairs,
    turns: within,
    face: shown,
    label: `${said}; the table below has the numbers`,
  });
  const values = pairs.map(([a, b]) => kills(a, b, shown, within));
  const columns = [["range", false], ...pairs.map(([, , name]) => [name, true])];
  const steps = DATA.kills.starts.map((_, step) => step);
  const firsts = steps.filter((step) => !step || values.some((one) => one[step] !== one[step - 1]));
  const rows = spans(firsts).map((span, at) => [span, ...values.map((one) => [percent(one[firsts[at]]), one[firsts[at]]])]);
  $("#range-table").replaceChildren(tableOf(said, columns, rows));
}

function showChosen(redraw) {
  const list = $("#chosen");
  list.replaceChildren(
    ...RANGE.chosen.map((at, n) =>
      make(
        "li",
        {},
        make(
          "button",
          {
            type: "button",
            "aria-label": `Leave out ${UNITS[at].name}`,
            on: {
              click: () => {
                RANGE.chosen = RANGE.chosen.filter((other) => other !== at);
                showChosen(redraw);
                ($$("button", list)[n] ?? RANGE.form.elements.attacker).focus();
              },
            },
          },
          `${UNITS[at].name} ×`,
        ),
      ),
    ),
  );
  redraw();
}

function startRange() {
  const { target, face, turns, attacker } = RANGE.form.elements;
  for (const select of [target, attacker]) select.append(...unitOptions());
  DATA.kills.faces.forEach((name, at) => face.append(option(at, name)));
  face.closest("label").hidden = DATA.kills.faces.length < 2;
  turns.max = DATA.kills.turns;
  turns.value = Math.min(DATA.within, DATA.kills.turns);
  const [first, second] = DATA.plotted[0] ?? [0, UNITS.length - 1];
  target.value = UNITS[second].id;
  RANGE.chosen = [...new Set([first, ...DATA.plotted.map(([a]) => a)])].filter((at) => at !== second).slice(0, 3);
  const redraw = drawnTo($("#range-chart"), drawRange);
  RANGE.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const at = PLACE.get(attacker.value);
    if (!RANGE.chosen.includes(at)) RANGE.chosen = [...RANGE.chosen, at].slice(-MOST_CURVES);
    showChosen(redraw);
  });
  RANGE.form.addEventListener("input", redraw);
  showChosen(redraw);
}
