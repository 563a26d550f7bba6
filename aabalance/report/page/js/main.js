// Shows the part of the page that the address names, prepares printing, and starts the other parts.

const MAIN = $("main");
const TITLE = document.title;
let [left, scrolled, focused] = ["", 0, document.body];

/** Returns the places of units by their ids in an address; null if one of them isn't in the roster. */
function placesIn(ids) {
  const places = ids.map((id) => PLACE.get(id));
  return places.includes(undefined) ? null : places;
}

/** Shows the unit or pair that the address names; if it names none, the whole page as it was left. */
function route() {
  const at = location.hash.slice(1);
  const [[kind, ids] = []] = new URLSearchParams(at);
  const places = ["unit", "pair"].includes(kind) && placesIn(ids.split(","));
  const view = $("#view");
  const before = MAIN.classList.contains("viewing");
  if (!places || places.length !== (kind === "unit" ? 1 : 2)) {
    const section = at !== left && document.getElementById(at);
    left = at;
    MAIN.classList.remove("viewing");
    view.replaceChildren();
    document.title = TITLE;
    if (!before) return;
    if (section) section.scrollIntoView();
    else {
      window.scrollTo(0, scrolled);
      focused.focus({ preventScroll: true });
    }
    return;
  }
  if (!before) [scrolled, focused] = [window.scrollY, document.activeElement];
  MAIN.classList.add("viewing");
  view.replaceChildren(...(kind === "unit" ? unitView(places[0]) : pairView(...places)));
  const head = $("h2", view);
  document.title = `${head.textContent} – ${TITLE}`;
  window.scrollTo(0, 0);
  head.focus({ preventScroll: true });
}

/** Returns the choice whether the page of a unit is printed with the summary: then it waits, unseen, in `#paper`. */
function printChoice(at) {
  const paper = $("#paper");
  const chosen = () => $(`article[data-unit="${UNITS[at].id}"]`, paper);
  const box = make("input", { type: "checkbox", checked: chosen() !== null });
  box.addEventListener("change", () => {
    if (box.checked) paper.append(make("article", { "data-unit": UNITS[at].id }, ...unitView(at)));
    else chosen().remove();
    const units = paper.children.length;
    $("#print").textContent = `Print the summary${units ? ` and ${counted(units, "unit")}` : ""}`;
  });
  return make("p", { class: "screen" }, make("label", {}, box, " print this page with the summary"));
}

// Paper is white whatever the screen is.
for (const [event, on] of [
  ["beforeprint", true],
  ["afterprint", false],
])
  window.addEventListener(event, () => document.documentElement.classList.toggle("paper", on));

$("#print").addEventListener("click", () => window.print());
document.documentElement.classList.add("scripted");
$$("table.sortable").forEach(sortable);
$$(".scroll").forEach(edged);
startRoster();
startMap();
startRange();
startActions();
window.addEventListener("hashchange", route);
route();
performance.mark("ready");
