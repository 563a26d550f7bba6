// Sorting of tables by a click on a heading; and tables that are made by the script.

/** Returns the value by which a row is sorted if a column is; NaN for a missing number. */
function keyOf(row, column, number) {
  const cell = row.cells[column];
  if (!number) return cell.textContent.trim();
  const order = cell.dataset.order ?? cell.textContent;
  if (order === "inf" || order === "∞") return Infinity;
  const value = Number(order);
  return order === "" ? NaN : value;
}

/**
 * Sorts a table by the column of a heading: numbers from the largest, words from A; a second time in reverse. Rows
 * without a number stand last either way.
 */
function sortBy(table, head) {
  const [body] = table.tBodies;
  const column = head.cellIndex;
  const number = head.classList.contains("n");
  const before = head.getAttribute("aria-sort");
  const up = before ? before === "descending" : !number;
  const keys = new Map([...body.rows].map((row) => [row, keyOf(row, column, number)]));
  const sorted = [...body.rows].sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    if (number && (Number.isNaN(x) || Number.isNaN(y))) return Number.isNaN(x) - Number.isNaN(y);
    const order = number ? (x < y ? -1 : x > y ? 1 : 0) : byWords(x, y);
    return up ? order : -order;
  });
  body.append(...sorted);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  announce(`Sorted by ${head.textContent.trim()}, ${up ? "rising" : "falling"}`);
}

function sortable(table) {
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("th");
    if (head) sortBy(table, head);
  });
}

/** Marks the edges of a scrolling box beyond which there is more; keeps the marks up to date. */
function edged(box) {
  const mark = () => {
    const { scrollLeft: x, scrollTop: y, scrollWidth, scrollHeight, clientWidth, clientHeight } = box;
    box.classList.toggle("left", x > 1);
    box.classList.toggle("right", x + clientWidth < scrollWidth - 1);
    box.classList.toggle("down", y + clientHeight < scrollHeight - 1);
  };
  box.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(box);
  return box;
}

/**
 * Returns a table in a scrolling box. A column is a pair of its heading and whether it holds numbers; a cell is a text,
 * an element, or a pair of a text and the value by which it is sorted.
 */
function tableOf(caption, columns, rows) {
  const head = make("tr");
  for (const [name, number] of columns)
    head.append(make("th", { scope: "col", class: number ? "n" : null }, make("button", { type: "button" }, name)));
  const body = make("tbody");
  for (const row of rows) {
    const line = make("tr");
    row.forEach((cell, at) => {
      const [shown, order] = Array.isArray(cell) ? cell : [cell];
      line.append(
        make(
          at ? "td" : "th",
          {
            class: columns[at][1] ? "n" : null,
            scope: at ? null : "row",
            "data-order": order,
          },
          shown,
        ),
      );
    });
    body.append(line);
  }
  const table = make("table", {}, make("caption", {}, caption), make("thead", {}, head), body);
  sortable(table);
  return edged(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, table));
}
