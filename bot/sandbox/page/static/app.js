// The page's beginning: who looks where, and what the sandbox tells of it.

import { byId, el, avatar, announce } from "./dom.js";
import { Live } from "./live.js";
import { Messages } from "./messages.js";
import { Composer } from "./composer.js";
import { Places } from "./places.js";
import { People } from "./people.js";
import { Faults } from "./faults.js";
import { theme, drawers } from "./looks.js";

const params = new URLSearchParams(location.search);

// app is what the parts of the page share. The world is what was told last.
const app = {
  world: null,
  commands: [],
  look: { as: params.get("as") || "", channel: params.get("channel") || "", message: params.get("message") || "", show: 60, since: "" },

  person: (id) => app.world?.people.find((p) => p.id === id),
  server: () => app.world?.servers.find((s) => s.channels.some((c) => c.id === app.world.channel)),
  channel: (id = app.world?.channel) => app.world?.servers.flatMap((s) => s.channels).find((c) => c.id === id),
  people: () => (app.server()?.members || []).map(app.person).filter((p) => p && !p.bot),
  bots: () => app.world.people.filter((p) => p.bot && (p.id === app.world.bot.id ? app.server()?.bot : app.server()?.members.includes(p.id))),

  // go looks elsewhere, or as somebody else.
  go({ as = app.world?.you ?? "", channel = app.world?.channel ?? "", message = "" }) {
    app.look = { ...app.look, as, channel, message, show: 60 };
    history.pushState(null, "", app.address({ as, channel }));
    live.see(app.look);
    drawers.close();
  },
  // address is that of a look.
  address: ({ as = app.world.you, channel = app.world.channel }) => `/?${new URLSearchParams({ as, channel })}`,
  // say writes a word of the page's own below the messages.
  say: (text) => messages.note(text),
  earlier() {
    app.look = { ...app.look, show: app.look.show + 100 };
    live.see(app.look);
  },
};

const messages = new Messages(app);
const composer = new Composer(app);
app.compose = (name) => composer.begin(name);
const parts = [new Places(app), new People(app), new Faults(app), messages, composer];

function hear(news) {
  switch (news.kind) {
    case "world":
      app.world = news.world;
      app.look.since = news.world.since;
      showWho();
      for (const part of parts) part.world?.();
      break;
    case "commands":
      app.commands = news.commands || [];
      composer.commands();
      break;
    case "messages":
      messages.hear(news.messages);
  }
}

let wasUp = false;
function connection(up) {
  const state = byId("state");
  state.hidden = up;
  if (up && wasUp === null) announce("Connected again.");
  if (!up) state.textContent = "The sandbox does not answer. It is tried again by itself. If it was stopped, start it anew; if it then prints another address, open that.";
  wasUp = up || wasUp || null;
}

const live = new Live(hear, connection);
live.see(app.look);
theme();

// showWho writes who looks where: the title, the heading, and the people to switch between.
function showWho() {
  const you = app.person(app.world.you);
  const name = app.channel()?.name ?? "nowhere";
  document.title = `#${name} as ${you?.name ?? "nobody"} · sandbox`;
  byId("where").replaceChildren("# ", el("bdi", {}, name));
  const all = app.people();
  byId("switch").replaceChildren(...all.map((p) => el("button", {
    type: "button", class: "who-switch", "aria-pressed": String(p.id === app.world.you), "aria-label": `Be ${p.name}`, title: `Be ${p.name}`,
    data: { person: p.id }, click: () => app.go({ as: p.id }),
  }, avatar(p), p.id === app.world.you ? el("bdi", { class: "you" }, p.name) : null)));
  byId("switch").querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  history.replaceState(null, "", app.address({}));
}

addEventListener("popstate", () => {
  const p = new URLSearchParams(location.search);
  app.look = { ...app.look, as: p.get("as") || "", channel: p.get("channel") || "", message: "", show: 60 };
  live.see(app.look);
});

// A link to a message, or a channel's name, is followed within the page.
document.addEventListener("click", (e) => {
  const jump = e.target.closest("a[data-jump]");
  const place = e.target.closest("bdi[data-channel]");
  const command = e.target.closest("button[data-command]");
  if (jump && !e.ctrlKey && !e.metaKey) {
    e.preventDefault();
    const p = new URL(jump.href).searchParams;
    app.go({ channel: p.get("channel"), message: p.get("message") });
  } else if (place && app.channel(place.dataset.channel)) {
    app.go({ channel: place.dataset.channel });
  } else if (command) {
    composer.begin(command.dataset.command);
  }
});
