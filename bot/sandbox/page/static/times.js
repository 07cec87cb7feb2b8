// Times as their reader says them, and those that go by.

const language = navigator.language;
const formats = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};
const made = {};
const format = (style) => (made[style] ??= new Intl.DateTimeFormat(language, formats[style] || formats.f));
const units = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const relativeFormat = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

export function relative(at, now = Date.now()) {
  const away = (at - now) / 1000;
  const [unit, long] = units.find(([, long]) => Math.abs(away) >= long) || units.at(-1);
  return relativeFormat.format(Math.round(away / long), unit);
}

// ago says when a message was written, as chats do.
function ago(at) {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86400000);
  const time = format("t").format(at);
  if (days === 0) return time;
  return days === 1 ? `Yesterday at ${time}` : `${format("d").format(at)} ${time}`;
}

// sayTimes writes the times below an element in its reader's way.
export function sayTimes(root) {
  for (const t of root.querySelectorAll("time")) {
    const at = new Date(t.dateTime);
    const style = t.dataset.style;
    const said = !style ? ago(at) : style === "R" ? relative(at) : format(style).format(at);
    if (t.textContent !== said) t.textContent = said;
    if (!t.dataset.full) {
      t.dataset.full = t.title = format("F").format(at);
    }
  }
}

// tick keeps relative times true, each second for as long as the page is looked at.
export function tick(root) {
  setInterval(() => {
    if (document.hidden) return;
    for (const t of root.querySelectorAll('time[data-style="R"]')) {
      const said = relative(new Date(t.dateTime));
      if (t.textContent !== said) t.textContent = said;
    }
  }, 1000);
}
