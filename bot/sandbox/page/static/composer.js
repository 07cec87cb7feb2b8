// Where messages and commands are written: text, or a command with a field for each of its options.

import { byId, el } from "./dom.js";
import { post } from "./api.js";
import { Picker } from "./picker.js";
import { Field } from "./field.js";

const subCommand = 1, group = 2, slash = 1;
const most = 2000; // characters of a message

export class Composer {
  constructor(app) {
    this.app = app;
    this.drafts = new Map(); // what was begun elsewhere, by person and channel
    this.form = byId("composer");
    this.form.addEventListener("submit", (e) => {
      e.preventDefault();
      this.send();
    });
    app.mention = (text) => this.add(text);
    this.text("");
    if (matchMedia("(pointer: fine)").matches) this.input.focus();
    document.addEventListener("keydown", (e) => {
      if (e.key !== "/" || e.target.closest("input, textarea, [role=menu]") || e.ctrlKey || e.metaKey) return;
      e.preventDefault();
      this.text("/", true);
    });
  }

  // all lists what can be issued: of a command with sub-commands each is one.
  all() {
    const flat = (name, about, options) => options.some((o) => o.type === subCommand || o.type === group)
      ? options.flatMap((o) => flat(`${name} ${o.name}`, o.description, o.options || []))
      : [{ name, about, options }];
    return this.app.commands.filter((c) => c.type === slash).flatMap((c) => flat(c.name, c.about, c.options));
  }

  // commands hears that the bot's commands have changed.
  commands() {
    if (this.command && !this.all().some((c) => c.name === this.command.name)) this.text("");
    else if (!this.command) this.suggest();
  }

  world() {
    const { you, channel } = this.app.world;
    const sight = `${you}/${channel}`;
    if (this.sight && this.sight !== sight) {
      this.drafts.set(this.sight, this.command ? "" : this.input.value);
      this.text(this.drafts.get(sight) ?? "");
    }
    this.sight = sight;
    if (!this.command) this.input.placeholder = `Message #${this.app.channel()?.name ?? ""} as ${this.app.person(you)?.name ?? ""}, or / for commands`;
  }

  clear() {
    for (const f of this.fields || []) f.remove();
    this.picker?.remove();
    this.command = null;
    this.fields = [];
  }

  // text begins to write a message.
  text(value, focus = document.activeElement?.closest("#composer") != null) {
    const before = this.input?.placeholder ?? "";
    this.clear();
    this.input = el("textarea", {
      rows: "1", "aria-label": "Message, or / for a command", "aria-autocomplete": "list", dir: "auto", placeholder: before,
      input: () => this.suggest(), keydown: (e) => this.textKeys(e), focus: () => this.suggest(), value,
    });
    this.picker = new Picker(this.input, { label: "Commands", pick: (e) => this.begin(e.value) });
    this.hint = el("p", { id: "hint", "aria-live": "polite" });
    this.form.replaceChildren(el("div", { class: "bar" }, this.input, this.sendButton()), this.hint);
    if (focus) this.input.focus();
    this.suggest();
  }

  sendButton() {
    return el("button", { class: "send", "aria-label": "Send" }, "➤");
  }

  add(text) {
    if (this.command) this.text("");
    this.input.value += this.input.value && !this.input.value.endsWith(" ") ? ` ${text} ` : `${text} `;
    this.input.focus();
  }

  // mentions makes mentions of the names that are written with an @.
  mentions(text) {
    const all = [...this.app.people(), ...this.app.bots()].sort((a, b) => b.name.length - a.name.length);
    return all.reduce((t, p) => t.replaceAll(`@${p.name}`, `<@${p.id}>`), text);
  }

  suggest() {
    const { value } = this.input;
    if (value.length > most - 200) this.say(`${value.length} of ${most} characters`, value.length > most);
    else if (this.hint.textContent) this.say("");
    if (!value.startsWith("/") || value.includes("\n") || document.activeElement !== this.input) {
      this.picker.hide();
      return;
    }
    const typed = value.slice(1).toLowerCase();
    if (typed.endsWith(" ") && this.all().some((c) => c.name === typed.trimEnd())) {
      this.begin(typed.trimEnd());
      return;
    }
    const fits = this.all().filter((c) => c.name.includes(typed.trimEnd()));
    fits.sort((a, b) => Number(b.name.startsWith(typed)) - Number(a.name.startsWith(typed)));
    const away = !this.app.world?.bot.connected ? "No bot is connected yet." : this.app.server()?.bot === false ? "The bot is not in this server: the ⚠ panel invites it." : "";
    const none = away || "The bot has no such command.";
    this.picker.show(fits.map((c) => ({ label: `/${c.name}`, about: c.about, value: c.name })), none);
  }

  textKeys(e) {
    const { picker } = this;
    if (e.isComposing) return;
    if (picker.open && e.key === "ArrowDown") picker.move(1);
    else if (picker.open && e.key === "ArrowUp") picker.move(-1);
    else if (picker.open && e.key === "Escape") picker.close();
    else if (picker.open && picker.at >= 0 && (e.key === "Enter" || e.key === "Tab")) picker.choose();
    else if (e.key === "Enter" && !e.shiftKey) this.send();
    else return;
    e.preventDefault();
  }

  // begin writes a command: its required options first, the others when they are asked for.
  begin(name) {
    const command = this.all().find((c) => c.name === name);
    if (!command) return;
    this.clear();
    this.command = command;
    this.bar = el("div", { class: "bar" },
      el("span", { class: "chip" }, `/${command.name}`),
      el("button", { type: "button", class: "icon", "aria-label": "Give the command up", click: () => this.text("", true) }, "✕"));
    this.hint = el("p", { id: "hint", "aria-live": "polite" }, command.about);
    this.more = el("input", { class: "optional", "aria-label": "Add an option", keydown: (e) => this.moreKeys(e), input: () => this.offer(), focus: () => this.offer() });
    this.picker = new Picker(this.more, { label: "Options", first: false, pick: (e) => this.option(e.value, true) });
    this.bar.append(this.more, this.sendButton());
    this.form.replaceChildren(this.bar, this.hint);
    for (const o of command.options) if (o.required) this.option(o.name, false);
    this.left();
    (this.fields[0]?.input ?? (this.more.hidden ? this.form.querySelector(".send") : this.more)).focus();
  }

  // option adds a field.
  option(name, focus) {
    const o = this.command.options.find((o) => o.name === name);
    const field = new Field(this.app, o, {
      next: () => this.next(field), send: () => this.send(), drop: () => this.drop(field), leave: () => this.text("", true),
      hint: (text) => this.say(text), given: () => this.given(field), command: () => this.command.name,
    });
    this.fields.push(field);
    this.more.before(field.element);
    this.more.value = "";
    this.left();
    if (focus) field.input.focus();
  }

  // left says which options are not there yet.
  left() {
    const n = this.command.options.length - this.fields.length;
    this.more.hidden = n === 0;
    this.more.placeholder = n ? `+${n} optional` : "";
  }

  offer() {
    const typed = this.more.value.toLowerCase();
    const left = this.command.options.filter((o) => !this.fields.some((f) => f.option === o) && o.name.includes(typed));
    this.picker.first = typed !== "";
    this.picker.show(left.map((o) => ({ label: o.name, about: o.description, value: o.name })), "No such option.");
    this.say(this.command.about);
  }

  moreKeys(e) {
    const { picker } = this;
    if (picker.open && e.key === "ArrowDown") picker.move(1);
    else if (picker.open && e.key === "ArrowUp") picker.move(-1);
    else if ((e.key === "Enter" || e.key === "Tab") && picker.open && picker.at >= 0) picker.choose();
    else if (e.key === "Enter") this.send();
    else if (e.key === "Escape") picker.open ? picker.close() : this.text("", true);
    else if (e.key === "Backspace" && !this.more.value) {
      picker.close();
      this.fields.length ? this.fields.at(-1).input.focus() : this.text(`/${this.command.name}`, true);
    } else if (e.key === "Tab") return picker.close();
    else return undefined;
    return e.preventDefault();
  }

  next(field) {
    const i = this.fields.indexOf(field);
    const open = this.fields.find((f, j) => j > i && !f.input.value) || this.fields.find((f) => f.option.required && !f.input.value);
    if (open) open.input.focus();
    else if (!this.more.hidden) this.more.focus();
    else this.form.querySelector(".send").focus();
  }

  drop(field) {
    const i = this.fields.indexOf(field);
    if (field.option.required) {
      if (i > 0) this.fields[i - 1].input.focus();
      return;
    }
    field.remove();
    this.fields.splice(i, 1);
    this.left();
    (this.fields[i - 1]?.input || this.more).focus();
  }

  // given are the values so far, for the bot to suggest by.
  given(field) {
    const options = {};
    for (const f of this.fields) {
      const { value, why } = f.value();
      if (value !== undefined && (!why || f === field)) options[f.option.name] = value;
    }
    if (options[field.option.name] === undefined) options[field.option.name] = field.input.value;
    return options;
  }

  say(text, wrong = false) {
    this.hint.textContent = text;
    this.hint.classList.toggle("wrong", wrong);
  }

  async send() {
    const { you, channel } = this.app.world ?? {};
    if (!you) return;
    if (!this.command) {
      const text = this.input.value.trim();
      if (!text) return;
      if (text.startsWith("/")) {
        this.say("There is no such command. Choose one from the list.", true);
        return;
      }
      const content = this.mentions(text);
      if (content.length > most) {
        this.say(`A message has at most ${most} characters; this one has ${content.length}.`, true);
        return;
      }
      this.text("", true);
      if (!(await this.app.act("Not sent", () => post("say", { as: you, channel, content })))) this.text(text, true);
      return;
    }
    if (this.more.value.trim()) {
      this.say(`There is no option “${this.more.value.trim()}” left. Choose one from the list, or clear the field.`, true);
      this.more.focus();
      return;
    }
    const options = {};
    for (const f of this.fields) {
      const { value, why } = f.value();
      if (why || (f.option.required && value === undefined)) {
        this.say(`${f.option.name}: ${why || "is required"}`, true);
        f.input.focus();
        f.input.setAttribute("aria-invalid", "true");
        return;
      }
      if (value !== undefined) options[f.option.name] = value;
    }
    const { name } = this.command;
    this.text("", true);
    const slow = setTimeout(() => this.say(`/${name} is on its way…`), 300);
    await this.app.act(`/${name}`, () => post("slash", { as: you, channel, command: name, options }));
    clearTimeout(slow);
    if (!this.command) this.say("");
  }
}
