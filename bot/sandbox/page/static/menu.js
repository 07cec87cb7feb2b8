// A menu that opens at a point.

import { el, newId } from "./dom.js";

let close = () => {};

// openMenu shows entries {text, about, danger, do}; the one that is chosen is done.
export function openMenu(at, label, entries) {
  close();
  const before = document.activeElement;
  const items = entries.map((entry) => el("li", { role: "none" }, el("button", {
    type: "button", role: "menuitem", tabindex: "-1", class: entry.danger ? "danger" : null,
    click: () => {
      shut();
      entry.do();
    },
  }, el("bdi", {}, entry.text), entry.about ? el("span", { class: "small" }, entry.about) : null)));
  const list = el("ul", { class: "popup menu-list", role: "menu", id: newId("menu"), "aria-label": label, keydown: keys }, ...items);
  document.body.append(list);
  const box = list.getBoundingClientRect();
  list.style.left = `${Math.max(4, Math.min(at.x, innerWidth - box.width - 4))}px`;
  list.style.top = `${Math.max(4, Math.min(at.y, innerHeight - box.height - 4))}px`;
  const buttons = items.map((i) => i.firstChild);
  buttons[0]?.focus({ preventScroll: true });

  function keys(e) {
    const i = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: buttons.length - 1 }[e.key];
    if (to !== undefined) buttons[(to + buttons.length) % buttons.length].focus();
    else if (e.key === "Escape" || e.key === "Tab") {
      shut();
      before?.focus();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }
  function outside(e) {
    if (!list.contains(e.target)) shut();
  }
  function shut() {
    list.remove();
    document.removeEventListener("pointerdown", outside, true);
    document.removeEventListener("scroll", shut, true);
    close = () => {};
  }
  document.addEventListener("pointerdown", outside, true);
  document.addEventListener("scroll", shut, true);
  close = shut;
}
