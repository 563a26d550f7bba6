// The roster: a chart and a table of all units, with one filter for both.

const ROSTER = $("#roster");
const FILTER = $("#filter");

/** Returns the units that pass the filter. */
function filtered() {
  const form = new FormData(FILTER);
  const words = form
    .get("search")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word);
  return UNITS.filter(
    (unit) =>
      ["nation", "category"].every((name) => !form.get(name) || unit[name] === form.get(name)) &&
      (!form.get("from") || unit.year >= Number(form.get("from"))) &&
      (!form.get("to") || (unit.year && unit.year <= Number(form.get("to")))) &&
      words.every((word) => `${unit.name} ${unit.id}`.toLowerCase().includes(word)),
  );
}

/** Returns whether the report rates a unit: some have no opponent that prices could count for, or lose nothing. */
function isRated(unit) {
  if (DATA.valued) return Number.isFinite(Number(unit.worth));
  const ratio = numeric(unit.exchange_ratio_to_peers);
  return ratio > 0 && Number.isFinite(ratio);
}

/** Returns whether the chart shows worth as a share of the cost. */
const asShare = () => DATA.valued && FILTER.elements.picture.value === "rate";

/** Returns the units as points of the chart: worth by cost, or in a game without worth, points destroyed by cost. */
function pointsOf(units) {
  const value = DATA.valued ? "worth" : "requisition_exchange_ratio";
  const per = (unit) => (asShare() ? unit.price : 1);
  return units
    .filter((unit) => unit[value] > 0 && unit.price > 0)
    .map((unit) => ({
      id: unit.id,
      name: unit.name,
      x: unit.price,
      y: unit[value] / per(unit),
      ends: DATA.valued && unit.worth_low > 0 ? [unit.worth_low / per(unit), numeric(unit.worth_high) / per(unit)] : null,
      kind: kindOf(unit),
      strong: kindOf(unit) !== "level",
      said: DATA.valued
        ? `costs ${unit.price}, worth ${three(unit.worth)}${unit.worth_low === "nan" ? "" : ` [${three(unit.worth_low)}, ${three(unit.worth_high)}]`}`
        : `costs ${unit.price}, destroys ${three(unit.requisition_exchange_ratio)} for each point lost`,
    }));
}

/** Returns whether a unit is worth more than it costs ("above") or less, beyond doubt; or how it does by its peers. */
function kindOf(unit) {
  if (!DATA.valued) {
    const ratio = isRated(unit) ? unit.exchange_ratio_to_peers : 1;
    return ratio > 1.5 ? "above" : ratio < 1 / 1.5 ? "below" : "level";
  }
  return !unit.out ? "level" : unit.worth > unit.price ? "above" : "below";
}

function drawRoster(width) {
  const found = filtered();
  const points = pointsOf(found);
  const holder = $("#scatter");
  $("#scatter + .note").hidden = !points.length;
  if (!points.length) {
    const why = found.length ? "No unit of this kind is rated." : "No unit matches: “All units” shows all again.";
    holder.replaceChildren(make("p", {}, why));
    return;
  }
  const reach = (values, wider = 1.12) => [Math.min(...values) / wider, Math.max(...values) * wider];
  const x = reach(points.map((point) => point.x));
  const values = points.flatMap((point) => [point.y, ...(point.ends ?? [])]).filter(Number.isFinite);
  const ends = DATA.valued ? [] : trend(points);
  const y = reach(asShare() ? [...values, 1] : [...values, ...(DATA.valued ? x : ends.map(([, up]) => up))]);
  const what = asShare()
    ? ["What units are worth as a share of what they cost", `worth as a share of cost, with its interval`]
    : DATA.valued
      ? ["What units are worth", `worth in ${DATA.currency}, with its interval`]
      : ["What units destroy for each point lost", `${DATA.currency} destroyed for each point lost`];
  scatter(holder, width, {
    points,
    label: `${what[0]} against the ${DATA.currency} they cost; the table has the numbers`,
    x: { range: x, log: true, words: tick, label: `${DATA.currency} asked` },
    y: {
      range: y,
      log: !asShare(),
      words: asShare() ? (share) => `${Math.round(100 * share)}\u00a0%` : tick,
      label: what[1],
    },
    beneath: (across, up) => {
      if (!DATA.valued) {
        const [from, to] = ends.map(([price, ratio]) => [across(price), up(ratio)]);
        return from ? [line(...from, ...to, { class: "fair" })] : [];
      }
      if (asShare())
        return [
          line(across(x[0]), up(1), across(x[1]), up(1), { class: "fair" }),
          text(across(x[1]), up(1) - 6, "fair", { class: "axis", "text-anchor": "end" }),
        ];
      const [low, high] = [Math.max(x[0], y[0]), Math.min(x[1], y[1])];
      return [
        line(across(low), up(low), across(high), up(high), { class: "fair" }),
        text(across(high) - 6, up(high) + 22, "fair", {
          class: "axis",
          "text-anchor": "end",
        }),
      ];
    },
    open: (point) => (location.hash = `unit=${point.id}`),
  });
}

/** Returns both ends of the line of the mean by price: a power law, so that it is straight on logarithmic axes. */
function trend(points) {
  const on = points
    .map((point) => [point.x, UNITS[PLACE.get(point.id)].peer_exchange_ratio])
    .filter(([, ratio]) => ratio > 0)
    .sort((a, b) => a[0] - b[0]);
  return on.length < 2 ? [] : [on[0], on[on.length - 1]];
}

function showRoster(redraw) {
  const shown = new Set(filtered().map((unit) => unit.at));
  for (const row of ROSTER.tBodies[0].rows) row.hidden = !shown.has(Number(row.dataset.place));
  const apart = [...shown].filter((at) => !isRated(UNITS[at])).length;
  $("#shown").textContent = `${shown.size} of ${UNITS.length} units${apart ? `, ${apart} of them not rated` : ""}`;
  redraw();
}

function startRoster() {
  for (const name of ["nation", "category"]) {
    const found = [...new Set(UNITS.map((unit) => unit[name]))].filter((value) => value).sort();
    const select = FILTER.elements[name];
    for (const value of found) select.append(option(value, value));
    select.closest("label").hidden = found.length < 2;
  }
  const years = [...new Set(UNITS.map((unit) => unit.year))].filter((year) => year).sort();
  for (const name of ["from", "to"]) {
    for (const year of years) FILTER.elements[name].append(option(year, year));
    FILTER.elements[name].closest("label").hidden = years.length < 2;
  }
  const redraw = drawnTo($("#scatter"), drawRoster);
  showRoster(redraw);
  FILTER.addEventListener("input", () => showRoster(redraw));
  FILTER.addEventListener("reset", () => setTimeout(() => showRoster(redraw)));
  FILTER.addEventListener("submit", (event) => event.preventDefault());
}
