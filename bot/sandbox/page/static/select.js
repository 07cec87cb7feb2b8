// A menu of a message, opened: one choice is sent at once, several when the list is closed.

import { Picker } from "./picker.js";

const texts = 3, people = 5, both = 7, channels = 8;

export class Select {
  // send(values) is told what was chosen; with null nothing was.
  constructor(app, button, send) {
    this.button = button;
    this.send = send;
    button.setAttribute("aria-label", button.textContent.trim()); // a combobox is not named by what it holds
    const max = Number(button.dataset.max);
    this.min = Number(button.dataset.min);
    const entries = this.entries(app);
    this.before = entries.filter((e) => e.chosen).map((e) => e.value);
    this.several = max > 1 || this.min === 0 ? { values: new Set(this.before), max } : null;
    this.picker = new Picker(button, {
      label: button.textContent, several: this.several, pick: (e) => this.send([e.value]), done: () => this.done(),
    });
    this.keys = (e) => this.key(e);
    button.addEventListener("keydown", this.keys);
    this.picker.show(entries, "There is nothing to choose.");
    button.focus();
  }

  entries(app) {
    const person = (p) => ({ label: p.name, value: p.id, about: p.bot ? "a bot" : "" });
    switch (Number(this.button.dataset.menuType)) {
      case texts:
        return JSON.parse(this.button.dataset.options);
      case people:
      case both:
        return [...app.people(), ...app.bots()].map(person);
      case channels:
        return (app.server()?.channels || []).map((c) => ({ label: `#${c.name}`, value: c.id }));
    }
    return []; // roles: the sandbox has none
  }

  key(e) {
    const { picker } = this;
    if (!picker.open) return;
    if (e.key === "ArrowDown") picker.move(1);
    else if (e.key === "ArrowUp") picker.move(-1);
    else if (e.key === "Enter" || e.key === " ") picker.choose();
    else if (e.key === "Escape") this.several ? picker.close() : this.send(null);
    else if (e.key === "Tab") {
      picker.close();
      return;
    } else if (e.key.length === 1 && !e.ctrlKey && !e.metaKey) picker.type(e.key);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  done() {
    if (!this.several) return this.send(null);
    const values = [...this.several.values];
    const same = values.length === this.before.length && values.every((v) => this.before.includes(v));
    return this.send(same || values.length < this.min ? null : values);
  }

  // move goes on with the same menu of the message as it is drawn now.
  move(button) {
    this.button.removeEventListener("keydown", this.keys);
    this.button = button;
    button.setAttribute("aria-label", button.textContent.trim());
    button.addEventListener("keydown", this.keys);
    this.picker.reanchor(button);
  }

  remove() {
    this.button.removeEventListener("keydown", this.keys);
    for (const name of ["role", "aria-label", "aria-controls", "aria-activedescendant"]) this.button.removeAttribute(name);
    this.button.setAttribute("aria-expanded", "false");
    this.picker.remove();
  }
}
