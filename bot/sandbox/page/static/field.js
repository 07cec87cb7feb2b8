// A field for one option of a command.

import { el, newId } from "./dom.js";
import { post } from "./api.js";
import { Picker } from "./picker.js";

const integer = 4, boolean = 5, user = 6, channel = 7, mentionable = 9, number = 10;
const askAfter = 120; // ms without typing

export class Field {
  // The owner is told: next, send, drop, leave, hint(text); and gives what else is filled in, and the command's name.
  constructor(app, option, owner) {
    Object.assign(this, { app, option, owner, picked: null, asked: 0 });
    const id = newId("option");
    this.input = el("input", {
      id, "aria-describedby": "hint", "aria-required": option.required ? "true" : null, "aria-autocomplete": "list", dir: "auto", spellcheck: "false", autocapitalize: "off",
      inputmode: option.type === integer || option.type === number ? "numeric" : null, size: "8",
      input: () => this.typed(), focus: () => this.focused(), keydown: (e) => this.keys(e), blur: () => this.picker?.hide(),
    });
    this.element = el("span", { class: "field" }, el("label", { for: id }, option.name, option.required ? el("span", { class: "unseen" }, ", required") : null), this.input);
    const list = this.list();
    if (list || option.autocomplete) {
      this.picker = new Picker(this.input, { label: option.name, pick: (e) => this.pick(e), first: Boolean(list) });
    }
  }

  // list is what can be chosen, where that is known; null where anything may be written.
  list() {
    const { option, app } = this;
    const person = (p) => ({ label: p.name, value: p.id, about: p.bot ? "a bot" : p.id === app.world.you ? "you" : "" });
    switch (option.type) {
      case boolean:
        return [{ label: "True", value: true }, { label: "False", value: false }];
      case user:
      case mentionable:
        return [...app.people(), ...app.bots()].map(person);
      case channel:
        return (app.server()?.channels || []).map((c) => ({ label: `#${c.name}`, value: c.id }));
    }
    return option.choices?.length ? option.choices.map((c) => ({ label: c.name, value: c.value })) : null;
  }

  focused() {
    this.owner.hint(this.option.description + (this.option.required ? "" : " (optional)"));
    this.look();
  }

  typed() {
    this.picked = null;
    this.input.removeAttribute("aria-invalid");
    this.input.size = Math.max(8, Math.min(30, this.input.value.length + 1));
    this.look();
  }

  // look shows what fits.
  look() {
    const list = this.list();
    if (list) {
      const typed = this.picked ? "" : this.input.value.toLowerCase().replace(/^[@#]/, "");
      this.picker.show(list.filter((e) => e.label.toLowerCase().includes(typed)), "Nothing fits.");
    } else if (this.option.autocomplete) this.ask();
  }

  // ask has the bot suggest; what comes late for an earlier text is not shown.
  ask() {
    const turn = ++this.asked;
    if (!this.picker.open) this.picker.show([], "Loading…");
    setTimeout(async () => {
      if (turn !== this.asked || document.activeElement !== this.input) return;
      try {
        const { choices } = await post("complete", { as: this.app.world.you, channel: this.app.world.channel, command: this.owner.command(), options: this.owner.given(), focused: this.option.name });
        if (turn === this.asked && document.activeElement === this.input) this.picker.show(choices.map((c) => ({ label: c.name, value: c.value })), "No options match.");
      } catch {
        if (turn === this.asked) this.picker.show([], "Loading options failed.");
      }
    }, askAfter);
  }

  pick(entry) {
    this.asked++;
    this.picked = entry;
    this.input.value = entry.label;
    this.input.size = Math.max(4, Math.min(30, entry.label.length + 1));
    this.owner.next();
  }

  keys(e) {
    const { picker } = this;
    const open = picker?.open;
    if (e.isComposing) return;
    if (open && e.key === "ArrowDown") picker.move(1);
    else if (open && e.key === "ArrowUp") picker.move(-1);
    else if (open && picker.at >= 0 && e.key === "Enter") picker.choose();
    else if (open && picker.at >= 0 && e.key === "Tab" && !e.shiftKey && this.input.value && !this.picked) picker.choose();
    else if (e.key === "Enter") this.owner.send();
    else if (e.key === "Escape") open ? picker.hide() : this.owner.leave();
    else if (e.key === "Backspace" && !this.input.value) this.owner.drop();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // value is what to send; undefined where nothing was written, with why where that cannot be sent.
  value() {
    const text = this.input.value.trim();
    if (this.picked) return { value: this.option.type === integer || this.option.type === number ? Number(this.picked.value) : this.picked.value };
    if (!text) return {};
    const list = this.list();
    if (list) {
      const one = list.find((e) => e.label.toLowerCase() === text.toLowerCase().replace(/^[@#]/, "") || e.label.toLowerCase() === text.toLowerCase());
      return one ? { value: one.value } : { value: text, why: "choose from the list" };
    }
    if (this.option.type === integer || this.option.type === number) {
      const n = Number(text);
      const fits = Number.isFinite(n) && (this.option.type === number || Number.isInteger(n));
      return fits ? { value: n } : { value: text, why: this.option.type === integer ? "takes a whole number" : "takes a number" };
    }
    return { value: text };
  }

  remove() {
    this.asked++;
    this.picker?.remove();
    this.element.remove();
  }
}
