// A Web Worker: one core that computes one chunk at a time.

import { Keeps, Kept } from "./kept.js";
import { Failure, Instance, NoRoom } from "./module.js";
import { base64, joined } from "./octets.js";
import { empty, merge } from "./tally.js";

// Calls have about this many milliseconds of work.
const aim = 20;
// No call has more blocks than this.
const mostBlocks = 2 ** 20;
// A chunk ends after the block with which it has written this many octets.
const mostWritten = 2 ** 20;
// A message has at most this many octets of output.
const piece = 32 * 2 ** 10;
// The page hears at most this often, in milliseconds, where a chunk is.
const beat = 10;

// Modules, orders and tables of jobs.
const jobs = new Map();
// What became of the current chunk while it was computed: null, "interrupt" or "drop".
let wish = null;
let heard = 0;

onmessage = ({ data }) => {
  switch (data.do) {
    case "prepare":
      jobs.set(data.job, { ...data, kept: new Kept() });
      break;
    case "forget":
      jobs.delete(data.job);
      break;
    case "check":
      check(data.job);
      break;
    case "chunk":
      compute(data);
      break;
    case "play":
      play(data);
      break;
    default:
      wish = data.do;
  }
};

const tell = (message) => postMessage(message);

// Lets messages in. A timer would be slow in a hidden tab.
const channel = new MessageChannel();
let proceed = null;
channel.port1.onmessage = () => proceed();
const breath = () =>
  new Promise((resolve) => {
    proceed = resolve;
    channel.port2.postMessage(null);
  });

function instance({ module, order, tables }) {
  const made = new Instance(module, order);
  made.configure(tables);
  return made;
}

// Prepares an instance, to see whether this browser can.
function check(job) {
  tell({ is: "alive" });
  try {
    instance(jobs.get(job));
    tell({ is: "checked", job, why: null });
  } catch (error) {
    tell({ is: "checked", job, why: error.message });
  }
}

// Computes trials one by one, the first of a block each, and adds them to `tally`. The last one is told and drawn.
function play({ job, first, count, tally }) {
  const { order } = jobs.get(job);
  try {
    const made = instance(jobs.get(job));
    const [singles, sums] = [[], []];
    const end = first + BigInt(count);
    for (let block = first; block < end; block++) {
      // The first call turns the log on.
      if (block + 1n === end) made.log();
      const single = made.run(block, 1, 1n).tally;
      merge(order.layout, tally, single);
      singles.push(made.read(1n, single));
      sums.push(made.read(block + 1n, tally));
    }
    tell({ is: "played", singles, sums, tally, log: made.log() });
  } catch (error) {
    tell({ is: "played", why: error.message });
  }
}

async function compute({ job, attempt, first, blocks, isSingly }) {
  wish = null;
  heard = 0;
  const chunk = new Chunk(jobs.get(job), first, first + BigInt(blocks));
  tell({ is: "alive", at: chunk.end });
  try {
    const failure = await chunk.attempt(isSingly);
    // An instance begins with a single block, so a failure of its first call concerns that block.
    if (failure && chunk.end > first && !(failure instanceof Keeps)) {
      const again = await chunk.attempt(true);
      if (!again && wish === null) throw new Failure(`${failure.message}, but only after other blocks; the simulation keeps state between blocks`);
      if (again) throw again;
    } else if (failure) {
      throw failure;
    }
    if (wish === "drop") return tell({ is: "dropped", attempt });
    chunk.report(attempt);
  } catch (error) {
    if (wish === "drop") tell({ is: "dropped", attempt });
    else if (error instanceof NoRoom) tell({ is: "full", attempt, why: error.message });
    else tell({ is: "failed", attempt, block: chunk.end, why: error.message });
  }
}

class Chunk {
  #prepared;
  #last;
  #tally;
  #written = [];
  #size = 0;
  #busy = 0;

  constructor(prepared, first, last) {
    this.#prepared = prepared;
    this.#last = last;
    this.#tally = empty(prepared.order.layout);
    // The block after the last one that is computed.
    this.end = first;
  }

  // Computes what is left, one block at a time or more. Returns a failure, or null.
  async attempt(isSingly) {
    try {
      const isSuspect = this.#prepared.kept.isSuspect;
      const before = { end: this.end, tally: this.#tally.slice(), written: [...this.#written], size: this.#size };
      if (!isSuspect && (await this.#together(isSingly))) return null;
      ({ end: this.end, tally: this.#tally, written: this.#written, size: this.#size } = before);
      await this.#apart(isSuspect);
      return null;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }

  get #continues() {
    return this.end < this.#last && this.#size < mostWritten && wish === null;
  }

  // Computes blocks in one instance. Returns false if they may depend on each other: then none of them counts.
  async #together(isSingly) {
    const { order, kept } = this.#prepared;
    const most = isSingly || order.writes ? 1 : mostBlocks;
    const start = this.end;
    let batch = 1;
    let paused = performance.now();
    const made = instance(this.#prepared);
    const before = made.kept();
    while (this.#continues) {
      const blocks = Math.min(batch, most, Number(this.#last - this.end));
      const begun = performance.now();
      // The first two calls are always told: if the first hangs, its only block is to blame.
      if (isSingly || batch <= 2 || begun - heard > beat) this.#alive(begun);
      const answer = made.run(this.end, blocks);
      if (this.end === start) kept.judge(made, this.end, answer, before, () => instance(this.#prepared));
      this.#add(answer, blocks);
      const after = performance.now();
      this.#busy += after - begun;
      if (after - begun < aim / 2) batch = blocks * 2;
      else if (after - begun > aim) batch = Math.max(1, Math.floor(blocks / 2));
      if (after - paused > aim / 2) {
        await breath();
        paused = performance.now();
      }
    }
    if (this.end === start) return true;
    const now = made.kept();
    return now === before || kept.knows(now);
  }

  // Computes each block in an instance of its own, so that it can find nothing of another. Once it is known that the module
  // only fills its memory again, only the first is judged.
  async #apart(isKnown) {
    const { kept } = this.#prepared;
    const start = this.end;
    while (this.#continues) {
      const begun = performance.now();
      this.#alive(begun);
      const made = instance(this.#prepared);
      const before = made.kept();
      const answer = made.run(this.end, 1);
      if (!isKnown || this.end === start) kept.judge(made, this.end, answer, before, () => instance(this.#prepared));
      this.#add(answer, 1);
      this.#busy += performance.now() - begun;
      await breath();
    }
  }

  #alive(now) {
    heard = now;
    tell({ is: "alive", at: this.end });
  }

  #add({ tally, output }, blocks) {
    const { order } = this.#prepared;
    merge(order.layout, this.#tally, tally);
    if (order.writes) this.#write(output);
    this.end += BigInt(blocks);
  }

  // The output of a block has its length before it, so that blocks can be told apart.
  #write(output) {
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, output.length, true);
    this.#written.push(new Uint8Array(length.buffer), output);
    this.#size += output.length;
  }

  report(attempt) {
    const { order } = this.#prepared;
    const written = joined(...this.#written);
    for (let from = 0; from < written.length; from += piece) {
      tell({ is: "output", attempt, octets: base64(written.subarray(from, from + piece)) });
    }
    const tally = base64(new Uint8Array(this.#tally.buffer));
    tell({ is: "done", attempt, end: this.end, busy: this.#busy / 1000, tally, output: order.writes ? written.length : null });
  }
}
