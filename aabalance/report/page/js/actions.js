// Charts of who is ahead as the limit of actions rises.

/** Returns a curve for each policy; policies with equal scores share one. */
function alike(rows) {
  const series = [];
  for (const { policy, score: values } of rows) {
    const same = series.find((one) => one.values.join() === values.join());
    if (same) same.name += ` and ${policy}`;
    else series.push({ name: `policy ${policy}`, values });
  }
  return series;
}

function startActions() {
  const holder = $("#action-charts");
  if (!holder) return;
  const pairs = new Map();
  for (const one of DATA.actions) {
    const title = `${one.a} v ${one.b}`;
    pairs.set(title, [...(pairs.get(title) ?? []), one]);
  }
  for (const [title, rows] of pairs) {
    const chart = make("div", { class: "chart" });
    holder.append(make("div", {}, make("h3", {}, title), chart));
    drawnTo(chart, (width) =>
      curves(chart, width, {
        series: alike(rows),
        x: {
          at: rows[0].limits,
          ticks: rows[0].limits.filter((limit) => width > 420 || limit % 2),
          label: "actions a turn",
        },
        y: `${rows[0].a} score`,
        label: `Score in ${title} by action limit; the table below has the numbers`,
      }),
    );
  }
}
