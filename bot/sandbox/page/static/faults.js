// Trouble to try: what goes wrong on the platform, made by hand.

import { byId, el } from "./dom.js";
import { post } from "./api.js";

const permissions = {
  "View Channel": 10, "Send Messages": 11, "Attach Files": 15, "Embed Links": 14, "Read Message History": 16, "Create Public Threads": 35, "Send Messages in Threads": 38,
};
const slow = [[0, "at once"], [1000, "after 1 second"], [2500, "after 2.5 seconds"], [4000, "after 4 seconds, too late"]];

export class Faults {
  constructor(app) {
    this.app = app;
    this.panel = byId("faults");
    byId("open-faults").addEventListener("click", () => {
      this.panel.hidden = !this.panel.hidden;
      byId("open-faults").setAttribute("aria-expanded", String(!this.panel.hidden));
      if (!this.panel.hidden) {
        this.shown = "";
        this.world();
        this.panel.querySelector("button, select")?.focus();
      }
    });
    document.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && !this.panel.hidden) this.close();
    });
  }

  close() {
    this.panel.hidden = true;
    byId("open-faults").setAttribute("aria-expanded", "false");
    byId("open-faults").focus();
  }

  // make asks for a fault and says what became of it.
  async make(what, body, said) {
    if (await this.app.act("Not done", () => post(`faults/${what}`, body))) this.said.textContent = said;
  }

  world() {
    if (this.panel.hidden) return;
    const { app } = this;
    const { world } = app;
    const state = JSON.stringify([world.you, world.channel, world.slow, world.silent, world.may, app.person(world.you)?.name, app.server()?.id, app.server()?.bot, app.server()?.left]);
    if (state === this.shown) return; // what is being written stays
    this.shown = state;
    const focus = document.activeElement?.dataset.fault;
    this.said = el("p", { role: "status", class: "small" }, this.said?.textContent ?? "");
    const button = (key, text, act) => el("button", { type: "button", class: "button s2", data: { fault: key }, click: act }, text);
    const server = app.server();
    this.panel.replaceChildren(
      el("header", {}, el("h2", {}, "Trouble to try"), el("button", { type: "button", class: "icon", "aria-label": "Close", click: () => this.close() }, "✕")),
      this.said,
      el("h3", {}, "Answers"),
      el("label", {}, "The bot's answers arrive ", el("select", {
        data: { fault: "slow" }, change: (e) => this.make("delay", { method: "POST", path: "/interactions/", milliseconds: Number(e.target.value) }, "Answers are timed."),
      }, ...slow.map(([ms, text]) => el("option", { value: String(ms), selected: ms === world.slow }, text)))),
      button("refuse", "Refuse the next answer (500)", () => this.make("fail", { method: "POST", path: "/interactions/", status: 500, code: 0, count: 1 }, "The next answer to an interaction is refused.")),
      button("limit", "Refuse the next edit of a message (429)", () => this.make("fail", { method: "PATCH", path: "/channels/", status: 429, code: 0, count: 1 }, "The next edit is refused for a moment.")),
      el("h3", {}, "Gateway"),
      button("drop", "Drop the connection", () => this.make("drop", {}, "The connection was dropped; the bot should come back.")),
      button("reconnect", "Ask to reconnect", () => this.make("reconnect", {}, "The bot was asked to reconnect.")),
      button("invalid", "End the session", () => this.make("invalid-session", { resumable: false }, "The session was ended; the bot should begin another.")),
      button("mute", world.silent ? "Let the gateway speak" : "Silence the gateway", () => this.make("mute", { on: !world.silent }, world.silent ? "The gateway speaks again." : "The gateway says nothing any more.")),
      el("h3", {}, "What the bot may do in this channel"),
      el("ul", { class: "switches" }, ...Object.keys(permissions).map((name) => el("li", {}, el("label", {}, el("input", {
        type: "checkbox", data: { fault: name }, checked: world.may.includes(name), change: () => this.allow(),
      }), ` ${name}`)))),
      el("h3", {}, "Members"),
      ...(server?.id ? [
        ...(server.left || []).map(app.person).filter(Boolean).map((p) => button(`back-${p.id}`, `${p.name} comes back`, () => this.make("add-member", { server: server.id, person: p.id }, `${p.name} is there again.`))),
        server.bot
          ? button("bot", "Remove the bot from this server", () => this.make("kick", { server: server.id }, "The bot was removed."))
          : button("bot", "Invite the bot again", () => this.make("invite", { server: server.id }, "The bot was invited.")),
        this.rename(),
      ] : []),
      el("p", { class: "small" }, "A message is deleted from its ⋯ menu; a person leaves from theirs."),
    );
    if (focus) this.panel.querySelector(`[data-fault="${CSS.escape(focus)}"]`)?.focus();
  }

  allow() {
    let bits = 0n;
    for (const box of this.panel.querySelectorAll(".switches input:checked")) bits |= 1n << BigInt(permissions[box.dataset.fault]);
    return this.make("permissions", { channel: this.app.world.channel, permissions: String(bits) }, "The bot's permissions were changed.");
  }

  rename() {
    const you = this.app.person(this.app.world.you);
    const input = el("input", { "aria-label": "Your name", value: you.name, data: { fault: "name" }, dir: "auto", maxlength: "32" });
    return el("form", {
      class: "rename", submit: (e) => {
        e.preventDefault();
        this.make("rename", { person: you.id, name: input.value }, `You are called ${input.value.trim()} now.`);
      },
    }, input, el("button", { class: "button s2", data: { fault: "rename" } }, "Rename me"));
  }
}
