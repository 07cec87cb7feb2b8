// What the checks wait for and expect.
import assert from 'node:assert/strict';

const patience = 15_000; // a new session may have to wait for five seconds before it may identify

// heard is the next event of a kind that fits; listen before doing what causes it.
export function heard(emitter, kind, fits = () => true) {
  return new Promise((resolve, reject) => {
    const listen = (...args) => {
      if (!fits(...args)) return;
      stop();
      resolve(args);
    };
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`no ${kind} within ${patience} ms`));
    }, patience);
    const stop = () => {
      clearTimeout(timer);
      emitter.off(kind, listen);
    };
    emitter.on(kind, listen);
  });
}

// refused holds a request to Discord's code for why it is refused.
export async function refused(request, code, status) {
  await assert.rejects(request, (err) => {
    assert.equal(err.name, `DiscordAPIError[${code}]`);
    assert.equal(err.code, code);
    assert.equal(err.status, status);
    return true;
  });
}

// kinds are the types of components, of all that a message shows, from outside to inside.
export function kinds(components) {
  return components.flatMap((c) => [c.type, ...kinds(c.components ?? []), ...kinds(c.accessory ? [c.accessory] : [])]);
}
