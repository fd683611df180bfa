// Lending this device: the panel, and the jobs that this page prepares and computes.

import { Blobs } from "./blobs.js";
import { Crew, line } from "./crew.js";
import { find, list, make, say, show } from "./dom.js";
import { lanesIn } from "./lanes.js";
import { NeedsMore, withMemoryLimit } from "./limit.js";
import { width } from "./tally.js";
import { keep, kept } from "./ticket.js";
import { amount, count, titled } from "./words.js";

// The protocol allows no more cores of one page.
const mostCores = 64;
// More jobs than a reader looks at. Their modules are small.
const mostPlayed = 8;
// The tally of a result must fit into a message of 64 KiB, in base64.
const mostSlots = 5_600;

// Where this device stands, in the gateway's word.
const standings = {
  joining: "Joining the session…",
  asking: "Waiting for the host to approve this device.",
  full: "The session takes no more cores at the moment. This device waits for a place.",
};

const isPhone = () => navigator.userAgentData?.mobile ?? /Mobi|Android|iPhone|iPad/.test(navigator.userAgent);

export class Lender {
  #send;
  #changed;
  #blobs;
  #crew;
  // The orders of jobs that the gateway wants prepared, by ID.
  #orders = new Map();
  // Compiled modules by hash and memory limit. They are small, and a session has few.
  #modules = new Map();
  // The jobs that a reader can play: what was prepared last, by ID, oldest first.
  #prepared = new Map();
  // Why this browser declined the latest job.
  #declined = "";
  #isConnected = false;
  // Why the connection does not come back by itself; "" if it does.
  #ending = "";
  // What the gateway said of this device's offer.
  #standing = "joining";
  #isDeclined = false;
  #cores = 0;
  #lock = null;

  // `changed()` is called when there is another job to play.
  constructor(send, changed) {
    this.#send = send;
    this.#changed = changed;
    this.#blobs = new Blobs(send);
    this.#crew = new Crew({ send, changed: () => this.#sayState() });
    const cores = Math.max(1, Math.min(mostCores, navigator.hardwareConcurrency ?? 1));
    // Where the style sheet makes lending a line, the result comes before everything else.
    if (matchMedia("(max-width: 61.9em)").matches) find("lend-about").open = find("history").open = false;
    const usual = isPhone() ? 1 : Math.max(1, cores - 1);
    for (let number = 1; number <= cores; number++) find("cores").append(make("option", { value: number }, `${number}`));
    find("cores").value = kept("cores") ?? usual;
    this.#cores = kept("lends") === "yes" ? Number(find("cores").value) : 0;
    find("cores").onchange = () => {
      keep("cores", find("cores").value);
      if (this.#cores > 0) this.#lend(Number(find("cores").value));
    };
    find("lend-button").onclick = () => this.#lend(this.#cores > 0 ? 0 : Number(find("cores").value));
    document.addEventListener("visibilitychange", () => this.#keepAwake());
  }

  welcomed(mayLend) {
    this.#isConnected = true;
    this.#ending = "";
    this.#disable(false);
    show(find("lend"), mayLend);
    if (!mayLend) return;
    if (typeof WebAssembly === "undefined") {
      this.#disable(true);
      say(find("lend-state"), "This browser cannot compute: it has no WebAssembly.");
      return;
    }
    this.#sayNotes();
    if (this.#cores > 0) this.#lend(this.#cores);
    else this.#sayState();
  }

  // Work in hand goes to other nodes, so it ends here at once. `ending` says why, if the connection is over for good.
  disconnected(ending) {
    this.#isConnected = false;
    this.#ending = ending;
    this.#disable(Boolean(ending));
    this.#forgetAll();
    this.#sayState();
  }

  // Takes a message. Returns false if it is about something else.
  take(message) {
    this.#crew.look();
    switch (message.is) {
      case "lending":
        this.#stands(message.state);
        break;
      case "prepare":
        this.#prepare(message);
        break;
      case "part":
      case "lacking":
        this.#blobs.take(message);
        break;
      case "chunks":
        if (this.#orders.has(message.job)) this.#crew.add(message.job, message.chunks);
        break;
      case "drop":
        this.#crew.drop(message.attempts);
        break;
      case "interrupt":
        this.#crew.interrupt(message.job);
        break;
      case "forget":
        this.#orders.delete(message.job);
        this.#crew.forget(message.job);
        break;
      default:
        return false;
    }
    return true;
  }

  #stands(standing) {
    this.#standing = standing;
    this.#isDeclined = standing === "declined";
    if (this.#isDeclined) {
      this.#cores = 0;
      keep("lends", "no");
      this.#forgetAll();
      this.#keepAwake();
    }
    this.#sayState();
  }

  #disable(isDisabled) {
    for (const name of ["cores", "lend-button"]) find(name).disabled = isDisabled;
  }

  #lend(cores) {
    this.#cores = cores;
    this.#declined = "";
    this.#standing = "joining";
    this.#isDeclined = false;
    keep("lends", cores > 0 ? "yes" : "no");
    if (cores === 0) this.#forgetAll();
    else this.#crew.resize(cores);
    this.#send({ do: "lend", cores });
    this.#keepAwake();
    this.#sayState();
  }

  #forgetAll() {
    this.#crew.resize(0);
    this.#blobs.stop();
    this.#orders.clear();
  }

  async #prepare(order) {
    const id = order.job;
    this.#orders.set(id, order);
    let why = cannot(order);
    let prepared = null;
    try {
      prepared = why ? null : await this.#load(order);
      if (this.#orders.get(id) === order && prepared) why = await this.#crew.prepare(id, prepared);
    } catch (error) {
      why = error.message;
    }
    // Meanwhile the job may be over, or ordered once more.
    if (this.#orders.get(id) !== order) return;
    if (why) this.#orders.delete(id);
    else this.#remember(id, prepared);
    this.#declined = why ? `This browser cannot compute ${titled(order.name)}: ${why}.` : "";
    this.#send(why ? { do: "unable", job: id, why: line(why) } : { do: "ready", job: id });
    this.#sayState();
  }

  // Returns {order, module, tables} of a job that this device has prepared; null for others.
  prepared(job) {
    return this.#prepared.get(job) ?? null;
  }

  #remember(id, prepared) {
    this.#prepared.set(id, prepared);
    if (this.#prepared.size > mostPlayed) this.#prepared.delete(this.#prepared.keys().next().value);
    this.#changed();
  }

  async #load(order) {
    const key = `${order.module.hash} ${order.memory}`;
    const octets = await this.#blobs.get(order.module);
    if (!this.#modules.has(key)) this.#modules.set(key, await compiled(octets, order.memory));
    const tables = order.tables ? await this.#blobs.get(order.tables) : new Uint8Array();
    return { order, module: this.#modules.get(key), tables };
  }

  #sayState() {
    const isLending = this.#cores > 0;
    say(find("lend-button"), isLending ? "Stop lending" : "Lend this device");
    find("lend-button").classList.toggle("strong", !isLending);
    find("lend").classList.toggle("on", isLending);
    const done = this.#crew.trials > 0 ? ` This device has done ${amount(this.#crew.trials)} trials or units.` : "";
    const work = this.#crew.current.map((job) => titled(this.#orders.get(job)?.name ?? "")).filter(Boolean);
    let state = "";
    if (this.#ending) state = `${this.#ending}, and this device computes nothing.`;
    else if (this.#isDeclined) state = "The host declined this device.";
    else if (isLending && !this.#isConnected) state = "It computes again when the connection is back.";
    else if (work.length > 0) state = `Computing ${work.join(" and ")} on ${count(this.#cores, "core")}.`;
    else if (isLending) state = standings[this.#standing] ?? (this.#declined || "Ready, and waiting for work.");
    say(find("lend-state"), (state + done).trim());
  }

  // What people should know before they lend. Browsers tell less at an http:// address.
  async #sayNotes() {
    const notes = [];
    const battery = await navigator.getBattery?.().catch(() => null);
    if (battery && !battery.charging) notes.push("This device runs on battery, and computing drains it.");
    else if (!battery) notes.push("Computing needs power: plug the device in if you can.");
    if (!("wakeLock" in navigator)) notes.push("Keep this screen on: a device that sleeps stops computing, and continues when it wakes.");
    list(find("lend-notes"), notes, (note) => note, () => make("li"), (row, note) => say(row, note));
  }

  // Keeps the screen on while it computes, where the browser lets a page do so.
  async #keepAwake() {
    if (this.#cores > 0 && document.visibilityState === "visible") {
      this.#lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    } else {
      this.#lock?.release();
      this.#lock = null;
    }
  }
}

// Why no browser can compute an order; null if there is no such reason.
function cannot({ shape, layout, slots, trials }) {
  if (shape !== 1 && (shape !== 2 || trials === null)) return "browsers compute only tallies and gatherings";
  const widths = layout.map(width);
  if (widths.some((one) => !one)) return "a part of its tally is unknown to this page; reload the page";
  if (widths.reduce((sum, one) => sum + one, 0) !== slots) return "its tally is not what the server says";
  return slots > mostSlots ? "its tally is too large for a browser" : null;
}

// Compiles the lanes that a module carries; without some, or in a browser without vectors, the module itself.
async function compiled(octets, memory) {
  const lanes = lanesIn(octets);
  if (lanes) {
    try {
      return await compiledAlone(lanes, memory);
    } catch {
      // Then the module around it.
    }
  }
  return compiledAlone(octets, memory);
}

async function compiledAlone(octets, memory) {
  try {
    const module = await WebAssembly.compile(withMemoryLimit(octets, memory));
    if (WebAssembly.Module.imports(module).length > 0) throw new Error("the module imports functions, and a plugin must not");
    return module;
  } catch (error) {
    if (error instanceof NeedsMore) throw new Error(`it needs more than ${Math.floor(memory / 2 ** 20)} MiB of memory`);
    // The server has compiled it, so the browser lacks something.
    if (error instanceof WebAssembly.CompileError) throw new Error("the browser is too old for its module; update the browser");
    throw error;
  }
}
