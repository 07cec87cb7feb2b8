// Light or dark, and what slides in from the sides on a narrow screen.

import { byId } from "./dom.js";

// theme follows the system until somebody chooses.
export function theme() {
  const root = document.documentElement;
  const kept = localStorage.getItem("theme");
  if (kept) root.dataset.theme = kept;
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
  });
}

const sides = { places: "open-places", people: "open-people" };

function show(side, open) {
  byId(side).classList.toggle("open", open);
  byId(sides[side]).setAttribute("aria-expanded", String(open));
  if (open) byId(side).querySelector("button, a")?.focus();
}

export const drawers = {
  close() {
    for (const side of Object.keys(sides)) show(side, false);
  },
};

for (const [side, button] of Object.entries(sides)) {
  byId(button).addEventListener("click", () => show(side, !byId(side).classList.contains("open")));
}
document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  for (const [side, button] of Object.entries(sides)) {
    if (byId(side).classList.contains("open")) {
      show(side, false);
      byId(button).focus();
    }
  }
});
document.addEventListener("click", (e) => {
  for (const [side, button] of Object.entries(sides)) {
    if (!e.target.closest(`#${side}, #${button}`)) show(side, false);
  }
});
