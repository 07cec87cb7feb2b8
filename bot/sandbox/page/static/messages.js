// The messages of a channel, as the sandbox draws them, and what people do with them.

import { byId, el, markup, older, announce } from "./dom.js";
import { post, Refused } from "./api.js";
import { sayTimes, tick } from "./times.js";
import { openMenu } from "./menu.js";
import { Select } from "./select.js";
import { openForm } from "./form.js";

const pictureWait = 400; // ms for a new picture to be ready before it takes the old one's place
const together = 7 * 60e3; // ms within which messages of one author stand together

export class Messages {
  constructor(app) {
    this.app = app;
    this.list = byId("messages");
    this.scroll = byId("scroll");
    this.drawn = new Map(); // the markup of what is shown, by id
    this.coming = new Map(); // what waits for its pictures, by id
    this.dismissed = new Set();
    this.sight = "";
    this.select = null;
    app.act = (what, act) => this.act(what, act);
    this.list.addEventListener("click", (e) => this.click(e));
    this.list.addEventListener("contextmenu", (e) => this.context(e));
    this.list.addEventListener("keydown", (e) => this.keys(e));
    byId("earlier").addEventListener("click", () => app.earlier());
    byId("newest").addEventListener("click", () => this.toEnd());
    this.pinned = true; // the newest is in sight, and stays there while sizes change
    this.at = 0; // where the view was scrolled to last
    this.scroll.addEventListener("scroll", () => {
      const { scrollTop } = this.scroll;
      if (this.atEnd()) this.pinned = true;
      else if (scrollTop < this.at - 2 && this.touched) this.pinned = false; // somebody went up, not the view by itself
      this.at = scrollTop;
      if (this.pinned) byId("newest").hidden = true;
    });
    for (const by of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      this.scroll.addEventListener(by, () => {
        this.touched = true;
        clearTimeout(this.rest);
        this.rest = setTimeout(() => (this.touched = false), 1000);
      }, { passive: true });
    }
    new ResizeObserver(() => {
      if (this.pinned) this.toEnd();
    }).observe(this.list);
    tick(this.list);
  }

  world() {
    const { you, channel } = this.app.world;
    const sight = `${you}/${channel}`;
    if (sight === this.sight) return;
    this.sight = sight;
    this.list.replaceChildren();
    this.drawn.clear();
    this.coming.clear();
    byId("newest").hidden = true;
    byId("empty").hidden = true;
  }

  // hear draws what has changed.
  hear(news) {
    const end = this.pinned;
    const first = this.list.childElementCount === 0;
    if (news.reset) {
      const now = new Set(news.set.map((m) => m.id));
      for (const id of [...this.drawn.keys()]) if (!now.has(id)) this.forget(id);
      byId("earlier").hidden = news.earlier === 0;
    }
    for (const id of news.gone) this.forget(id);
    const fresh = [];
    for (const m of news.set) if (this.draw(m)) fresh.push(m.id);
    byId("empty").hidden = this.list.childElementCount > 0;
    if (this.goTo()) return;
    if (first || end) this.toEnd();
    else if (fresh.length && !news.reset) byId("newest").hidden = false;
    if (!news.reset) for (const id of fresh) this.read(id);
  }

  // draw shows a message, new or anew; it tells whether it is a new one.
  draw({ id, html }) {
    if (this.dismissed.has(id) || this.drawn.get(id) === html) return false;
    this.drawn.set(id, html);
    const li = document.adoptNode(markup(html).firstElementChild);
    sayTimes(li);
    for (const box of li.querySelectorAll("[data-accent]")) box.style.borderLeftColor = box.dataset.accent;
    const old = byId(`m-${id}`);
    const pictures = [...li.querySelectorAll("img")];
    if (!old) {
      this.coming.delete(id);
      this.insert(li, id);
      return true;
    }
    this.coming.set(id, li);
    const swap = () => {
      if (this.coming.get(id) !== li) return; // a newer one came, or it is gone
      this.coming.delete(id);
      this.swap(byId(`m-${id}`), li);
      if (this.pinned) this.toEnd();
    };
    if (!pictures.length) swap();
    else Promise.race([Promise.all(pictures.map((p) => p.decode().catch(() => {}))), new Promise((r) => setTimeout(r, pictureWait))]).then(swap);
    return false;
  }

  insert(li, id) {
    let before = this.list.lastElementChild;
    while (before && (before.dataset.local || older(before.dataset.id, id) > 0)) before = before.previousElementSibling;
    if (before) before.after(li);
    else this.list.prepend(li);
    this.group(li);
    this.group(li.nextElementSibling);
  }

  // swap puts a message in its old one's place; whoever was on one of its controls stays there.
  swap(old, li) {
    if (!old) return;
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    for (const details of old.querySelectorAll("details[open]")) {
      const i = [...old.querySelectorAll("details")].indexOf(details);
      const same = li.querySelectorAll("details")[i];
      if (same) same.open = true;
    }
    old.replaceWith(li);
    this.group(li);
    if (focus?.dataset.control) this.like(li, focus)?.focus();
    if (this.select && old.contains(this.select.button)) {
      const again = this.like(li, this.select.button);
      if (again && again.dataset.options === this.select.button.dataset.options) this.select.move(again);
      else this.shutSelect();
    }
  }

  like(li, control) {
    return [...li.querySelectorAll("[data-control]")].find((c) => c.dataset.control === control.dataset.control && !c.disabled);
  }

  forget(id) {
    this.drawn.delete(id);
    this.coming.delete(id);
    const li = byId(`m-${id}`);
    const next = li?.nextElementSibling;
    if (this.select && li?.contains(this.select.button)) this.shutSelect();
    li?.remove();
    this.group(next);
  }

  // group lets a message follow its author's last without naming them again, and names the day where one begins.
  group(li) {
    if (!li || li.dataset.local) return;
    const before = li.previousElementSibling;
    const at = new Date(li.dataset.at);
    const then = before && !before.dataset.local ? new Date(before.dataset.at) : null;
    const follows = then && before.dataset.author === li.dataset.author && at - then < together && !li.querySelector(":scope > .invoked");
    li.classList.toggle("follows", Boolean(follows));
    if (!then || then.toDateString() !== at.toDateString()) li.dataset.day = at.toLocaleDateString(undefined, { dateStyle: "full" });
    else delete li.dataset.day;
  }

  // read says a new message to those who listen.
  read(id) {
    const li = byId(`m-${id}`);
    if (!li) return;
    const text = [...li.querySelectorAll(".body, .thinking")].map((b) => b.textContent.trim()).join(" ").slice(0, 300);
    announce(`${li.querySelector(".who bdi").textContent}${li.classList.contains("private") ? ", only to you" : ""}: ${text}`);
  }

  atEnd() {
    return this.scroll.scrollHeight - this.scroll.scrollTop - this.scroll.clientHeight < 60;
  }

  toEnd() {
    this.pinned = true;
    this.scroll.scrollTop = this.scroll.scrollHeight;
    byId("newest").hidden = true;
  }

  // goTo shows the message that a link named.
  goTo() {
    const li = this.app.look.message && byId(`m-${this.app.look.message}`);
    if (!li) return false;
    this.app.look.message = "";
    this.pinned = false;
    li.scrollIntoView({ block: "center" });
    li.classList.add("found");
    setTimeout(() => li.classList.remove("found"), 3000);
    return true;
  }

  click(e) {
    const control = e.target.closest("[data-control]");
    const li = e.target.closest("li.message");
    if (!li) return;
    if (control?.classList.contains("menu")) this.openSelect(control, li);
    else if (control) this.press(control, li);
    else if (e.target.closest("[data-dismiss]")) this.dismiss(li);
    else if (e.target.closest("[data-menu]")) {
      const box = e.target.getBoundingClientRect();
      this.menu(li, { x: box.left, y: box.bottom });
    } else if (e.target.closest(".spoiler")) e.target.closest(".spoiler").classList.add("shown");
    else if (e.target.closest('.invoked a[href^="#m-"]')) {
      e.preventDefault();
      this.app.look.message = e.target.closest("a").hash.slice(3);
      if (!this.goTo()) this.app.go({ message: this.app.look.message });
    }
  }

  context(e) {
    const li = e.target.closest("li.message");
    if (!li || e.target.closest("[data-person], a, img")) return;
    e.preventDefault();
    this.menu(li, { x: e.clientX, y: e.clientY });
  }

  keys(e) {
    if (e.key === "Enter" && e.target.classList.contains("spoiler")) e.target.classList.add("shown");
  }

  menu(li, at) {
    const { id } = li.dataset;
    const { you } = this.app.world;
    const commands = this.app.commands.filter((c) => c.type === 3 && !li.classList.contains("private"));
    const entries = commands.map((c) => ({ text: c.name, about: "a command of the bot", do: () => this.act(c.name, () => post("menu", { as: you, command: c.name, message: id })) }));
    entries.push({ text: "Copy the message's id", do: () => navigator.clipboard?.writeText(id) });
    if (!li.classList.contains("private")) entries.push({ text: "Delete message", about: "as a moderator would", danger: true, do: () => this.act("delete", () => post("faults/delete-message", { message: id })) });
    if (li.classList.contains("private")) entries.push({ text: "Dismiss", do: () => this.dismiss(li) }, { text: "Dismiss all of these", do: () => this.dismissAll() });
    openMenu(at, "Message", entries);
  }

  dismiss(li) {
    if (li.dataset.id) this.dismissed.add(li.dataset.id);
    const near = li.nextElementSibling || li.previousElementSibling;
    if (li.dataset.local) li.remove();
    else this.forget(li.dataset.id);
    (near?.querySelector("[data-dismiss]") || byId("composer").querySelector("textarea, input"))?.focus();
  }

  dismissAll() {
    for (const li of this.list.querySelectorAll("li.private")) this.dismiss(li);
  }

  async press(button, li) {
    if (button.classList.contains("busy")) return;
    button.classList.add("busy");
    button.setAttribute("aria-busy", "true");
    await this.use(li, "press", { control: button.dataset.control });
    button.classList.remove("busy");
    button.removeAttribute("aria-busy");
  }

  openSelect(button, li) {
    if (this.select?.button === button) {
      this.shutSelect();
      return;
    }
    this.shutSelect();
    this.select = new Select(this.app, button, (values) => {
      const { button } = this.select;
      this.shutSelect();
      button.focus();
      if (values) this.use(button.closest("li.message") || li, "select", { control: button.dataset.control, values });
    });
  }

  shutSelect() {
    this.select?.remove();
    this.select = null;
  }

  // follow has the view go with what comes: somebody has just done something here, and waits for what it leads to.
  follow() {
    this.pinned = true;
  }

  // use works a control, and says below the message when nobody answered.
  async use(li, what, more) {
    const { id } = li.dataset;
    li.querySelector(".failed")?.remove();
    if (li.classList.contains("private") || what === "press") this.follow();
    let why = "";
    try {
      const reply = await post(what, { as: this.app.world.you, message: id, ...more });
      if (reply.failed) why = "This interaction failed";
      else if (reply.form) openForm(this.app, reply);
    } catch (err) {
      if (!(err instanceof Refused)) throw err;
      why = `This interaction failed: ${err.message}`;
    }
    if (!why) return;
    byId(`m-${id}`)?.querySelector(".said").append(el("p", { class: "failed", role: "alert" }, why));
  }

  // act does something that answers in the channel, and notes what went wrong.
  async act(what, act) {
    this.follow();
    try {
      const reply = await act();
      if (reply.failed) this.note(`${what}: The application did not respond`);
      else if (reply.form) openForm(this.app, reply);
      return !reply.failed;
    } catch (err) {
      if (!(err instanceof Refused)) throw err;
      this.note(`${what}: ${err.message}`);
      return false;
    }
  }

  // note is a message of the page's own, for its reader alone.
  note(text) {
    const li = el("li", { class: "message private local", data: { local: "1" } },
      el("div", { class: "said" }, el("p", { class: "failed", role: "alert" }, text),
        el("p", { class: "only" }, "Only you can see this · ", el("button", { type: "button", class: "plain", data: { dismiss: "" } }, "Dismiss message"))));
    this.list.append(li);
    byId("empty").hidden = true;
    this.toEnd();
    return li;
  }
}
