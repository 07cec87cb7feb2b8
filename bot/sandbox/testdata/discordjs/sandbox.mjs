// The sandbox in a process of its own, and its tools: what people do there, as JSON over HTTP.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Sandbox {
  #child;
  #key;

  // start runs the program and reads from what it prints where it listens, the bot's token and the key of its tools.
  static async start(binary) {
    const made = new Sandbox();
    made.#child = spawn(binary, ['sandbox', '--no-bot'], {
      env: { PATH: process.env.PATH, KRAAL_SANDBOX_LISTEN: '127.0.0.1:0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    process.once('exit', () => made.#child.kill()); // whatever ends the check ends the sandbox
    const told = {};
    for await (const line of createInterface({ input: made.#child.stdout })) {
      const [word, value] = line.trim().split(/\s+/);
      told[word] = value;
      if (word === 'page') break;
    }
    if (!told.page) throw new Error('the sandbox ended before it told its address');
    made.api = told.REST.replace(/\/v\d+$/, ''); // the library adds the version that it speaks
    made.origin = new URL(told.page).origin;
    made.token = told.token;
    made.#key = new URL(told.page).searchParams.get('key');
    made.world = await made.look('world');
    return made;
  }

  async stop() {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`the sandbox ended with ${code}`);
  }

  // person is somebody's id, by the name in the world.
  person(username) {
    return this.world.people.find((p) => p.username === username).id;
  }

  look(name, query = {}) {
    return this.#ask(`${name}?${new URLSearchParams(query)}`, {});
  }

  // act is something that somebody does; reply.message is what they see of the answer.
  act(name, what) {
    return this.#ask(name, { method: 'POST', body: JSON.stringify(what) });
  }

  trouble(name, what = {}) {
    return this.act(`faults/${name}`, what);
  }

  async #ask(path, init) {
    const answer = await fetch(`${this.origin}/sandbox/api/${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${this.#key}` },
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body.error}`);
    return body;
  }
}
