// The connection to the gateway: it proves the ticket, guards every message with a MAC, and reconnects by itself.

import { fromHex, hex, random } from "./octets.js";
import { deviceProof, keys, mac, ticketID } from "./ticket.js";

// The gateway sends something every 5 s. After three times that the connection is dead, even if the browser thinks not.
const silence = 15_000;
// The gateway allows 512 messages at once and 200 a second; these are a little less, the second in a millisecond.
const burst = 400;
const pace = 0.18;
const firstDelay = 500;
const longestDelay = 5_000;
// A full gateway is asked later and later, so that a hall of phones does not keep it busy.
const longestDelayIfFull = 60_000;

// Endings after which only a person can help.
const endings = new Map([[4401, "ticket"], [4403, "removed"], [4409, "elsewhere"], [4410, "ended"], [4411, "device"]]);

// `state` is `connecting`, `open`, `lost`, `full` or one of the endings. The hooks are `changed()`, `arrived(message)`,
// and `greeting()`, which returns the first message.
export class Link {
  state = "connecting";
  // How often in a row the gateway did not answer.
  failures = 0;
  // When something last arrived, as Date.now().
  heard = null;
  #ticket;
  #hooks;
  #socket = null;
  #timer = null;
  #guard = null;

  constructor(ticket, hooks) {
    this.#ticket = ticket;
    this.#hooks = hooks;
    for (const event of ["online", "focus", "pageshow"]) addEventListener(event, () => this.wake());
    document.addEventListener("visibilitychange", () => this.wake());
  }

  connect() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if ([...endings.values()].includes(this.state)) this.#become("connecting");
    const socket = new WebSocket(`ws://${location.host}/link`);
    this.#socket = socket;
    const nonce = random(16);
    this.#guard = null;
    socket.onopen = () =>
      socket.send(JSON.stringify({ potluck: 1, ticket: ticketID(this.#ticket), nonce: hex(nonce) }));
    socket.onmessage = (event) => this.#receive(socket, nonce, event.data);
    socket.onclose = (event) => this.#closed(socket, event.code);
    this.#watch(socket);
  }

  // Without a connection the message is void.
  send(message) {
    this.#guard?.queue.push(message);
    this.#flush();
  }

  // Sends what waits, at the pace that the gateway allows. A piece of output is a message.
  #flush() {
    const guard = this.#guard;
    if (!guard) return;
    const now = performance.now();
    guard.allowed = Math.min(burst, guard.allowed + (now - guard.at) * pace);
    guard.at = now;
    for (; guard.queue.length > 0 && guard.allowed >= 1; guard.allowed--) {
      const text = JSON.stringify(guard.queue.shift());
      this.#socket.send(mac(guard.keys.toGateway, guard.sent++, text) + text);
    }
    if (guard.queue.length > 0) guard.timer ??= setTimeout(() => {
      guard.timer = null;
      this.#flush();
    }, 50);
  }

  // Tries at once what waits, and ends what is dead: after sleep, in the foreground again, with a network again.
  wake() {
    if (this.#timer !== null) this.connect();
    else if (this.state === "open" && Date.now() - this.heard > silence) this.#drop(this.#socket, 4408);
  }

  #receive(socket, nonce, data) {
    if (socket !== this.#socket) return;
    if (!this.#guard) {
      const answer = parsed(data);
      const theirs = /^[0-9a-f]{32}$/.exec(answer?.nonce ?? "");
      if (!theirs) return this.#drop(socket, 4400);
      const at = performance.now();
      const made = keys(this.#ticket, nonce, fromHex(theirs[0]));
      this.#guard = { keys: made, sent: 0, received: 0, queue: [], allowed: burst, at, timer: null };
      const device = answer.host ? deviceProof(this.#ticket, made.both, answer.host === "free") : {};
      this.send({ ...this.#hooks.greeting(), ...device });
      return;
    }
    const text = data.slice(32);
    const expected = mac(this.#guard.keys.toPage, this.#guard.received++, text);
    if (data.slice(0, 32) !== expected) return this.#drop(socket, 4401);
    const message = parsed(text);
    if (!message) return this.#drop(socket, 4400);
    this.heard = Date.now();
    this.#watch(socket);
    // Timers of a hidden tab are slow, so the answer is not left to one.
    if (message.is === "ping") this.send({ do: "pong" });
    if (this.state !== "open" && message.is === "welcome") {
      this.failures = 0;
      this.#become("open");
    }
    this.#hooks.arrived(message);
  }

  #watch(socket) {
    clearTimeout(socket.watchdog);
    socket.watchdog = setTimeout(() => this.#drop(socket, 4408), silence);
  }

  // Ends a socket without waiting for the other side, which may be gone. What this page ends is never final.
  #drop(socket, code) {
    socket.close(code);
    this.#closed(socket, null);
  }

  #closed(socket, code) {
    clearTimeout(socket.watchdog);
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#guard = null;
    const ending = endings.get(code);
    if (ending) return this.#become(ending);
    const most = code === 4429 ? longestDelayIfFull : longestDelay;
    const delay = Math.min(most, firstDelay * 2 ** this.failures);
    this.failures++;
    this.#timer = setTimeout(() => this.connect(), delay);
    this.#become(code === 4429 ? "full" : this.heard === null ? "connecting" : "lost");
  }

  #become(state) {
    this.state = state;
    this.#hooks.changed();
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
