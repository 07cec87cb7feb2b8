// The people of the server: whom to be, and what can be done to each.

import { byId, el, avatar } from "./dom.js";
import { openMenu } from "./menu.js";
import { post } from "./api.js";

export class People {
  constructor(app) {
    this.app = app;
    // A person is meant wherever their name or mention stands.
    document.addEventListener("contextmenu", (e) => {
      const person = e.target.closest("[data-person]");
      if (!person || !this.app.person(person.dataset.person)) return;
      e.preventDefault();
      this.menu(person.dataset.person, { x: e.clientX, y: e.clientY });
    });
    document.addEventListener("keydown", (e) => {
      const person = e.target.closest?.("[data-person]");
      if (person && (e.key === "ContextMenu" || (e.key === "F10" && e.shiftKey))) {
        e.preventDefault();
        const box = e.target.getBoundingClientRect();
        this.menu(person.dataset.person, { x: box.left, y: box.bottom });
      }
    });
  }

  world() {
    const { world } = this.app;
    const focus = document.activeElement?.closest("#people [data-person]")?.dataset.person;
    byId("people").replaceChildren(
      el("h2", {}, "You are"),
      el("ul", {}, ...this.app.people().map((p) => this.person(p, p.id === world.you))),
      el("h2", {}, "Bots"),
      el("ul", {}, ...this.app.bots().map((p) => this.bot(p))),
    );
    if (focus) byId("people").querySelector(`[data-person="${focus}"] button`)?.focus();
  }

  person(p, you) {
    return el("li", { data: { person: p.id } },
      el("button", { type: "button", class: "person-line", "aria-pressed": String(you), click: () => this.app.go({ as: p.id }) },
        avatar(p), el("bdi", {}, p.name), you ? el("span", { class: "small" }, "you") : null),
      this.more(p));
  }

  bot(p) {
    const { bot } = this.app.world;
    const asleep = p.id === bot.id && !bot.connected;
    return el("li", { data: { person: p.id }, class: asleep ? "asleep" : null },
      el("span", { class: "person-line" }, avatar(p), el("bdi", {}, p.name), el("span", { class: "tag" }, "APP"),
        asleep ? el("span", { class: "small" }, "not connected") : null),
      this.more(p));
  }

  more(p) {
    return el("button", {
      type: "button", class: "icon", "aria-haspopup": "menu", "aria-label": `More about ${p.name}`,
      click: (e) => {
        const box = e.currentTarget.getBoundingClientRect();
        this.menu(p.id, { x: box.left, y: box.bottom });
      },
    }, "⋯");
  }

  menu(id, at) {
    const p = this.app.person(id);
    const { world } = this.app;
    const entries = this.app.commands.filter((c) => c.type === 2).map((c) => ({ text: c.name, about: "a command of the bot", do: () => this.use(c.name, id) }));
    entries.push({ text: "Mention", do: () => this.app.mention(`@${p.name}`) });
    if (!p.bot && id !== world.you) {
      entries.unshift({ text: `Be ${p.name}`, do: () => this.app.go({ as: id }) });
      entries.push({ text: `Open ${p.name} beside`, about: "a second window", do: () => this.beside(id) });
    }
    if (!p.bot && this.app.server()?.id) entries.push({ text: "Leave the server", danger: true, do: () => this.leave(id) });
    openMenu(at, p.name, entries);
  }

  // beside opens a window as somebody else, as large as half the screen.
  beside(id) {
    const width = Math.floor(screen.availWidth / 2);
    open(this.app.address({ as: id }), `sandbox-${id}`, `popup,width=${width},height=${screen.availHeight},left=${width}`);
  }

  async use(name, target) {
    await this.app.act(name, () => post("menu", { as: this.app.world.you, channel: this.app.world.channel, command: name, target }));
  }

  async leave(id) {
    const { name } = this.app.person(id);
    if (await this.app.act("leave", () => post("faults/remove-member", { server: this.app.server().id, person: id }))) {
      this.app.say(`${name} has left the server. The ⚠ panel brings them back.`);
    }
  }
}
