// A form that the bot answered with: a window with a field for each of its parts.

import { el, newId } from "./dom.js";
import { post, Refused } from "./api.js";

const row = 1, textMenu = 3, textInput = 4, people = 5, both = 7, channels = 8, text = 10, label = 18, radio = 21, checks = 22, check = 23;
const paragraph = 2;

// openForm shows the form of a reply, and sends it as the one whom it was shown to.
export function openForm(app, { interaction, form }) {
  const as = app.world.you;
  const fields = [];
  const parts = form.components.map((part) => {
    if (part.type === text) return el("p", {}, part.content);
    const field = part.type === row ? part.components[0] : part.component;
    if (!field || (part.type !== row && part.type !== label)) return null;
    const made = control(app, field);
    fields.push({ id: field.custom_id, value: made.value });
    return labelled(part.type === row ? field : part, field, made);
  });
  const wrong = el("p", { role: "alert", class: "failed" });
  const dialog = el("dialog", { class: "form", "aria-label": form.title },
    el("form", {
      method: "dialog", submit: async (e) => {
        e.preventDefault();
        const given = Object.fromEntries(fields.map((f) => [f.id, f.value()]).filter(([, v]) => v !== undefined));
        try {
          const reply = await post("submit", { as, interaction, fields: given });
          if (reply.failed) wrong.textContent = "Something went wrong. Try again.";
          else dialog.close();
        } catch (err) {
          if (!(err instanceof Refused)) throw err;
          wrong.textContent = err.message;
        }
      },
    }, el("h2", {}, el("bdi", {}, form.title)), ...parts, wrong,
    el("div", { class: "row" }, el("button", { type: "button", class: "button s2", click: () => dialog.close() }, "Cancel"), el("button", { class: "button s1" }, "Submit"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function labelled(named, field, made) {
  const must = field.required !== false && field.type !== check;
  const title = [el("bdi", {}, named.label), must ? el("span", { class: "small" }, " required") : null];
  if (made.group) return el("fieldset", {}, el("legend", {}, ...title), named.description ? el("p", { class: "small" }, named.description) : null, ...made.group);
  const id = newId("field");
  made.element.id = id;
  return el("div", { class: "part" }, el("label", { for: id }, ...title), named.description ? el("p", { class: "small" }, named.description) : null, made.element);
}

// control is a field's element, or group of them, and how its value is read.
function control(app, field) {
  switch (field.type) {
    case textInput: {
      const element = el(field.style === paragraph ? "textarea" : "input", { value: field.value ?? "", placeholder: field.placeholder, maxlength: String(field.max_length ?? 4000), dir: "auto", rows: field.style === paragraph ? "4" : null });
      return { element, value: () => element.value };
    }
    case check: {
      const element = el("input", { type: "checkbox", checked: Boolean(field.default) });
      return { element, value: () => element.checked };
    }
    case radio:
    case checks: {
      const name = newId("choice");
      const boxes = field.options.map((o) => el("input", { type: field.type === radio ? "radio" : "checkbox", name, value: o.value, checked: Boolean(o.default) }));
      const group = field.options.map((o, i) => el("label", { class: "choice" }, boxes[i], el("bdi", {}, ` ${o.label}`), o.description ? el("span", { class: "small" }, ` ${o.description}`) : null));
      return { group, value: () => boxes.filter((b) => b.checked).map((b) => b.value) };
    }
  }
  const element = el("select", { multiple: (field.max_values ?? 1) > 1 }, ...options(app, field).map((o) => el("option", { value: o.value, selected: Boolean(o.default) }, o.label)));
  if (!element.multiple && !(field.options || []).some((o) => o.default)) element.prepend(el("option", { value: "", selected: true }, field.placeholder || "Choose"));
  return { element, value: () => [...element.selectedOptions].map((o) => o.value).filter(Boolean) };
}

function options(app, field) {
  switch (field.type) {
    case textMenu:
      return field.options;
    case people:
    case both:
      return [...app.people(), ...app.bots()].map((p) => ({ label: p.name, value: p.id }));
    case channels:
      return (app.server()?.channels || []).map((c) => ({ label: `#${c.name}`, value: c.id }));
  }
  return [];
}
