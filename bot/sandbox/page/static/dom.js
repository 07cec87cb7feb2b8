// Elements, made without markup: text stays text.

// el makes an element. Attributes that are functions listen, "class" and "data" are shortened, null and false are left out.
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return made;
}

export const byId = (id) => document.getElementById(id);

// markup makes elements of the sandbox's own markup, in which every text has been escaped. It is the only way in.
const policy = globalThis.trustedTypes?.createPolicy("sandbox", { createHTML: (s) => s });
export function markup(html) {
  const made = document.createElement("template");
  made.innerHTML = policy ? policy.createHTML(html) : html;
  return made.content;
}

// older orders ids, which are numbers too long for JavaScript's.
export const older = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

// avatar is a person's letter in their colour.
export const avatar = (person) => el("span", { class: `avatar c${person.colour}`, "aria-hidden": "true" }, person.initial);

// announce says something to those who listen.
export function announce(text) {
  const said = el("p", {}, text);
  byId("announce").append(said);
  setTimeout(() => said.remove(), 8000);
}

let ids = 0;
export const newId = (prefix) => `${prefix}-${++ids}`;
