// The servers and channels at the side, threads below their channel, with what is new in them.

import { byId, el, older } from "./dom.js";

export class Places {
  constructor(app) {
    this.app = app;
    this.read = JSON.parse(sessionStorage.getItem("read") || "{}"); // by person and channel: the newest message seen
  }

  world() {
    const { world } = this.app;
    const here = this.app.channel();
    if (here?.last && document.visibilityState === "visible") this.mark(world.you, here);
    byId("channels").replaceChildren(...world.servers.map((s) => this.server(s)));
  }

  mark(you, channel) {
    const key = `${you}/${channel.id}`;
    if (this.read[key] && older(this.read[key], channel.last) >= 0) return;
    this.read[key] = channel.last;
    sessionStorage.setItem("read", JSON.stringify(this.read));
  }

  server(server) {
    const top = server.channels.filter((c) => !c.parent);
    const below = (id) => server.channels.filter((c) => c.parent === id && (!c.closed || c.id === this.app.world.channel));
    return el("section", {}, el("h2", {}, el("bdi", {}, server.name)),
      el("ul", {}, ...top.flatMap((c) => [this.channel(c), ...below(c.id).map((t) => this.channel(t))])));
  }

  channel(c) {
    const { world } = this.app;
    const current = c.id === world.channel;
    const seen = this.read[`${world.you}/${c.id}`] || "";
    const fresh = !current && c.last && older(seen, c.last) < 0;
    const pings = current ? 0 : (c.pings || []).filter((id) => older(seen, id) < 0).length;
    return el("li", { class: c.parent ? "thread" : null },
      el("a", {
        href: this.app.address({ channel: c.id }), class: fresh ? "fresh" : null, "aria-current": current ? "page" : null,
        click: (e) => {
          if (e.ctrlKey || e.metaKey || e.shiftKey) return;
          e.preventDefault();
          this.app.go({ channel: c.id });
        },
      }, el("span", { class: "sign", "aria-hidden": "true" }, c.parent ? "⌞" : "#"), el("bdi", {}, c.name),
      c.closed ? el("span", { class: "small" }, "closed") : null,
      fresh && !pings ? el("span", { class: "unseen" }, ", new messages") : null,
      pings ? el("span", { class: "badge" }, String(pings), el("span", { class: "unseen" }, pings === 1 ? " mention" : " mentions")) : null));
  }
}
