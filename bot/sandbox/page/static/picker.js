// A list to choose from, that belongs to a field or button: the focus stays there, the list shows what is meant.

import { el, newId } from "./dom.js";

export class Picker {
  // pick(entry) is told what was chosen; of a list for several, done(values) when it is closed.
  constructor(anchor, { label, pick, several = null, done = null, first = true }) {
    Object.assign(this, { anchor, pick, several, done, first, entries: [], at: -1 });
    this.list = el("ul", { class: "popup picker", role: "listbox", id: newId("list"), "aria-label": label, "aria-multiselectable": several ? "true" : null });
    this.list.hidden = true;
    document.body.append(this.list);
    anchor.setAttribute("role", "combobox");
    anchor.setAttribute("aria-controls", this.list.id);
    anchor.setAttribute("aria-expanded", "false");
    this.list.addEventListener("pointerdown", (e) => e.preventDefault()); // the focus stays
    this.list.addEventListener("click", (e) => {
      const i = [...this.list.children].indexOf(e.target.closest('[role="option"]'));
      if (i >= 0) this.choose(i);
    });
    this.outside = (e) => {
      if (!this.list.contains(e.target) && !this.anchor.contains(e.target)) this.close();
    };
    document.addEventListener("pointerdown", this.outside, true);
    this.moved = (e) => {
      if (!this.open || this.list.contains(e.target)) return;
      const at = this.anchor.getBoundingClientRect();
      if (at.bottom < 0 || at.top > innerHeight) this.close();
      else this.place();
    };
    document.addEventListener("scroll", this.moved, true);
  }

  get open() {
    return !this.list.hidden;
  }

  // show lists entries {label, about, value}; with none it says why.
  show(entries, none = "Nothing fits.") {
    this.entries = entries;
    this.at = entries.length && this.first ? Math.max(0, entries.findIndex((e) => e.chosen)) : -1;
    this.list.replaceChildren(...(entries.length ? entries.map((e, i) => this.entry(e, i)) : [el("li", { class: "none", role: "presentation" }, none)]));
    this.list.hidden = false;
    this.anchor.setAttribute("aria-expanded", "true");
    this.place();
    this.mark();
  }

  entry(e, i) {
    const chosen = this.several ? this.several.values.has(e.value) : Boolean(e.chosen);
    return el("li", { role: "option", id: `${this.list.id}-${i}`, "aria-selected": String(chosen) },
      this.several ? el("span", { class: "check", "aria-hidden": "true" }, chosen ? "☑" : "☐") : null,
      el("span", { class: "entry" }, el("bdi", {}, e.label), e.about ? el("span", { class: "small" }, e.about) : null));
  }

  // place puts the list where there is room: below its anchor, or above it.
  place() {
    const at = this.anchor.getBoundingClientRect();
    const below = innerHeight - at.bottom;
    const up = below < 260 && at.top > below;
    const style = this.list.style;
    style.maxHeight = `${Math.max(120, Math.min(360, (up ? at.top : below) - 12))}px`;
    style.minWidth = `${Math.min(at.width, innerWidth - 16)}px`;
    style.left = `${Math.max(8, Math.min(at.left, innerWidth - this.list.offsetWidth - 8))}px`;
    style.top = up ? "auto" : `${at.bottom + 4}px`;
    style.bottom = up ? `${innerHeight - at.top + 4}px` : "auto";
  }

  mark() {
    for (const [i, li] of [...this.list.children].entries()) li.classList.toggle("at", i === this.at);
    const li = this.list.children[this.at];
    if (li && this.at >= 0) {
      this.anchor.setAttribute("aria-activedescendant", li.id);
      li.scrollIntoView({ block: "nearest" });
    } else this.anchor.removeAttribute("aria-activedescendant");
  }

  move(by) {
    const n = this.entries.length;
    if (!n) return;
    this.at = this.at < 0 ? (by > 0 ? 0 : n - 1) : (this.at + by + n) % n;
    this.mark();
  }

  // type goes to the next entry that begins with a letter.
  type(letter) {
    const n = this.entries.length;
    for (let i = 1; i <= n; i++) {
      const to = (this.at + i + n) % n;
      if (this.entries[to].label.toLowerCase().startsWith(letter.toLowerCase())) {
        this.at = to;
        this.mark();
        return;
      }
    }
  }

  choose(i = this.at) {
    const entry = this.entries[i];
    if (!entry) return;
    if (!this.several) {
      this.hide();
      this.pick(entry);
      return;
    }
    const { values, max } = this.several;
    if (values.has(entry.value)) values.delete(entry.value);
    else if (values.size < max) values.add(entry.value);
    this.list.replaceChildren(...this.entries.map((e, j) => this.entry(e, j)));
    this.at = i;
    this.mark();
  }

  hide() {
    this.list.hidden = true;
    this.anchor.setAttribute("aria-expanded", "false");
    this.anchor.removeAttribute("aria-activedescendant");
  }

  close() {
    if (!this.open) return;
    this.hide();
    this.done?.();
  }

  // move to another anchor: the old one has been drawn anew.
  reanchor(anchor) {
    this.anchor = anchor;
    anchor.setAttribute("role", "combobox");
    anchor.setAttribute("aria-controls", this.list.id);
    anchor.setAttribute("aria-expanded", String(this.open));
    this.place();
    this.mark();
  }

  remove() {
    this.list.remove();
    document.removeEventListener("pointerdown", this.outside, true);
    document.removeEventListener("scroll", this.moved, true);
  }
}
