"use strict";
const PAUSE_MS = 150;
const CHOOSING_MS = 450; // between keys in a list of units
const form = document.forms[0];
const status = document.getElementById("status");
const panels = [...document.querySelectorAll("#answers section")];
let query = "";
let timer = 0;
let anew = false; // a unit brings its own controls, with a page of its own

const value = (field) => (field.type === "checkbox" ? String(field.checked) : field.value);
const isOpen = (panel) => !panel.parentNode.matches("details:not([open])");

function read() {
  const said = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name) continue;
    const moved = value(field) !== field.dataset.begins;
    if (moved && !(field.name === "other" && form.elements.compare.value !== "another unit")) said.set(field.name, value(field));
    field.closest(".fields label")?.classList.toggle("set", moved && field.dataset.begins !== undefined);
  }
  return said.toString();
}

// One request of a view at a time: what changes meanwhile is asked afterwards.
async function show(panel) {
  if (panel.busy || !isOpen(panel)) return;
  panel.busy = true;
  while (panel.asked !== query) {
    const asking = query;
    panel.classList.add("stale");
    try {
      const answer = await fetch(`view/${panel.id}?${asking}`);
      const text = await answer.text();
      panel.asked = asking;
      if (asking !== query) continue;
      status.innerHTML = answer.ok ? "" : text;
      if (!answer.ok) break;
      panel.innerHTML = text;
      panel.classList.remove("stale");
    } catch {
      status.innerHTML = "Nobody answers: start <code>aabalance explore</code> again, then load this page anew.";
      break;
    }
  }
  panel.busy = false;
}

function ask() {
  query = read();
  if (anew) {
    location.search = query;
    return;
  }
  history.replaceState(null, "", `?${query}`);
  panels.forEach((panel) => panel.classList.toggle("stale", panel.asked !== query && isOpen(panel)));
  panels.forEach(show);
}

function moved(event) {
  const field = event.target;
  if (field.matches(".list input") !== (event.type === "change")) return; // a list is asked when it is whole
  if (field.type === "range") field.nextElementSibling.value = field.value;
  clearTimeout(timer);
  if ("loads" in field.dataset) {
    anew = true;
    sessionStorage.focus = field.id;
  }
  timer = setTimeout(ask, anew ? CHOOSING_MS : PAUSE_MS);
}

form.addEventListener("input", moved);
form.addEventListener("change", moved);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("click", (event) => {
  const { part, sets } = event.target.dataset;
  if (part === undefined) return;
  const given = new URLSearchParams(sets);
  for (const field of form.elements) {
    if (!field.name.startsWith(part)) continue;
    const to = given.get(field.name) ?? field.dataset.begins;
    if (field.type === "checkbox") field.checked = to === "true";
    else field.value = to;
  }
  ask();
});
document.getElementById("answers").addEventListener("toggle", (event) => event.target.querySelectorAll("section").forEach(show), true);
document.getElementById(sessionStorage.focus)?.focus();
sessionStorage.removeItem("focus");
ask();
