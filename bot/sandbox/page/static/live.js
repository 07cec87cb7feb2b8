// The connection on which the sandbox tells what changes. When it breaks it is made anew.

export class Live {
  // hear(news) is told everything that comes; state(up) whether there is a connection.
  constructor(hear, state) {
    this.hear = hear;
    this.state = state;
    this.turn = 0;
    this.look = null;
    this.wait = 250;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/page/live`);
    this.socket.addEventListener("open", () => {
      this.wait = 250;
      this.state(true);
      this.send();
    });
    this.socket.addEventListener("message", (e) => {
      const news = JSON.parse(e.data);
      if (news.turn === this.turn) this.hear(news);
    });
    this.socket.addEventListener("close", () => {
      this.state(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, 3000);
    });
  }

  // see asks for another sight; what comes for an earlier one is not heard any more.
  see(look) {
    this.look = look;
    this.send();
  }

  send() {
    if (!this.look || this.socket.readyState !== WebSocket.OPEN) return;
    this.turn++;
    this.socket.send(JSON.stringify({ ...this.look, turn: this.turn }));
  }
}
