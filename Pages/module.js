// One instance of a simulation's module, version 1 of the interface (docs/PLUGINS.md). Answers are checked as if they
// were lies.

const version = 1;
const largestAnswer = 64 * 2 ** 20;
const largestLog = 2 ** 20;
const longestSentence = 200;

// Why a module cannot continue, in a line for people.
export class Failure extends Error {}

// This browser has too little memory for another instance, or too little stack. It is not the module's fault.
export class NoRoom extends Error {}

const crash = "it crashed: for example an index out of range, an overflow (Int has 32 bits in a plugin) or a failed precondition";
// The module counts its stack. Only a browser that has less than that runs out of it before.
const noStack = "this browser has too little stack";

export class Instance {
  #exports;
  #order;

  constructor(compiled, order) {
    this.#order = order;
    try {
      this.#exports = new WebAssembly.Instance(compiled).exports;
    } catch (error) {
      if (error instanceof RangeError && /memory/i.test(error.message)) throw new NoRoom("this browser has too little memory");
      if (/stack|recursion/i.test(error.message)) throw new NoRoom(noStack);
      throw new Failure(this.#reason(error));
    }
    if (!(this.#exports.memory instanceof WebAssembly.Memory)) throw new Failure("the module has no memory");
    const found = this.#call("potluck_abi");
    if (found !== version) throw new Failure(`the module uses version ${found} of the interface instead of ${version}`);
  }

  // Passes the parameters and the tables, and compares what the module answers with the order.
  configure(payload) {
    const { parameters, shape, block, trials, writes } = this.#order;
    const record = [BigInt(parameters.length), ...parameters.map(BigInt), BigInt(payload.length)];
    const answer = this.#ask("potluck_configure", record, payload);
    if (answer.number() !== 0n) throw new Failure("it does not accept the parameters");
    const mine = [answer.number()];
    if (shape === 2) mine.push(answer.number(), answer.number());
    answer.end();
    const agrees = mine[0] === BigInt(block) && (shape === 1 || (mine[1] === BigInt(trials) && mine[2] > 0n === writes));
    if (!agrees) throw new Failure("it prepares other work than the order says");
    this.kind = mine[2];
  }

  // Whether the order has all trials of a block.
  isWhole(block) {
    const { trials, block: size } = this.#order;
    return trials === null || (block + 1n) * BigInt(size) <= BigInt(trials);
  }

  // Computes blocks, at most the first `most` of their trials. Returns their tally and their output.
  run(first, blocks, most = null) {
    const { shape, seed, block, trials, slots } = this.#order;
    const full = most ?? BigInt(blocks) * BigInt(block);
    const left = trials === null ? full : BigInt(trials) - first * BigInt(block);
    const units = left < full ? left : full;
    const record = [BigInt(shape), BigInt(seed), first, BigInt(blocks), units, 0n, 0n];
    const answer = this.#ask("potluck_run", record, new Uint8Array());
    if (answer.number() !== BigInt(shape)) answer.wrong("a different kind of work");
    const done = answer.number();
    if (done !== BigInt(blocks)) answer.wrong(`${done} blocks instead of ${blocks}`);
    if (answer.number() !== 0n) answer.wrong("that it has more to do");
    answer.number();
    const count = answer.number();
    if (count !== BigInt(slots)) answer.wrong(`${count} slots instead of ${slots}`);
    const tally = BigUint64Array.from({ length: slots }, () => answer.number());
    const output = answer.octets();
    const rest = answer.octets();
    answer.end();
    if (rest.length > 0) answer.wrong("more than its output");
    if (output.length > 0 && (shape === 1 || this.kind === 0n)) answer.wrong("output that it did not declare");
    if (this.kind === 2n && BigInt(output.length) % (8n * units) !== 0n) answer.wrong("rows of different lengths");
    return { tally, output };
  }

  // Returns [value, low, high] of each reading of a tally; null for what it does not have.
  read(trials, tally) {
    const answer = this.#ask("potluck_read", [trials, BigInt(tally.length), ...tally], new Uint8Array());
    const readings = Array.from({ length: Number(answer.number()) }, () => {
      const has = answer.number();
      const [value, low, high] = [answer.real(), answer.real(), answer.real()];
      // The exact answer is the host's to show, and the bins are not drawn.
      for (let skipped = 0; skipped < 3; skipped++) answer.number();
      for (let count = answer.number(); count > 0n; count--) answer.number();
      return [has & 1n ? value : null, has & 2n ? low : null, has & 2n ? high : null];
    });
    answer.end();
    return readings;
  }

  // A number that changes when what outlives a call changes: a variable, or memory in use; null if it cannot tell.
  kept() {
    return this.#exports.potluck_kept ? this.#call("potluck_kept") : null;
  }

  // What trials have noted and drawn since the first call, which turns the log on (docs/PLUGINS.md).
  log() {
    return this.#text("potluck_log", largestLog) ?? "";
  }

  // Calls a function with a record of numbers and then octets, which are whole slots.
  #ask(name, numbers, octets) {
    const size = 8 * numbers.length + octets.length;
    const address = this.#call("potluck_alloc", size) >>> 0;
    const memory = this.#exports.memory.buffer;
    if (address === 0 || address % 8 !== 0 || address + size > memory.byteLength) {
      throw new Failure(this.#noMemory("potluck_alloc returned a wrong answer: an invalid address"));
    }
    new BigUint64Array(memory, address, numbers.length).set(numbers);
    new Uint8Array(memory, address + 8 * numbers.length, octets.length).set(octets);
    const place = BigInt.asUintN(64, this.#call(name, address, size));
    return new Answer(name, this.#exports.memory.buffer, Number(place >> 32n), Number(place & 0xffff_ffffn));
  }

  #call(name, ...values) {
    const known = this.#exports[name];
    if (typeof known !== "function") throw new Failure(`the module lacks a part of the interface: ${name}`);
    try {
      return known(...values);
    } catch (error) {
      const known = this.#fault();
      if (!known && /stack|recursion/i.test(error.message)) throw new NoRoom(noStack);
      throw new Failure(known ?? this.#noMemory(this.#reason(error)));
    }
  }

  // What the module itself knows about its end.
  #fault() {
    let said = 0;
    try {
      said = this.#exports.potluck_fault?.();
    } catch {
      return null;
    }
    if (said === 1) return this.#tooMuch;
    if (said === 4) return "its calls within calls are too many for the stack of a plugin, which is the same everywhere";
    if (said === 2) return "it asked for random numbers of the system, which are the same in every run";
    const why = this.#why();
    // A module made of a file in Python names the line itself.
    return why && (/^line [0-9]+: /.test(why) ? why : `it crashed: ${why}`);
  }

  // The sentence of a call that the kit refused; null if there is none.
  #why() {
    return this.#text("potluck_why", longestSentence)?.replace(/[^\x20-\x7e\u00a0-\uffff]/g, "?") ?? null;
  }

  // The text whose place a function returns; null if there is none.
  #text(name, most) {
    try {
      const place = BigInt.asUintN(64, this.#exports[name]?.() ?? 0n);
      const length = Math.min(Number(place & 0xffff_ffffn), most);
      if (length === 0) return null;
      return new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, Number(place >> 32n), length));
    } catch {
      return null;
    }
  }

  // A module that gets no more memory usually crashes. Memory grows by doubling, so it may have stopped at half.
  #noMemory(otherwise) {
    return this.#exports.memory.buffer.byteLength > this.#order.memory / 2 ? this.#tooMuch : otherwise;
  }

  get #tooMuch() {
    return `it needs more than ${Math.floor(this.#order.memory / 2 ** 20)} MiB of memory`;
  }

  // Browsers word traps differently.
  #reason(error) {
    if (/unreachable/i.test(error.message)) return crash;
    return `it crashed: ${error.message}`;
  }
}

// A record in the memory of a module. It is valid until the next call.
class Answer {
  #name;
  #view;
  #at = 0;

  constructor(name, memory, address, length) {
    this.#name = name;
    if (length > largestAnswer) this.wrong(`${length} bytes, more than the limit of ${largestAnswer}`);
    if (length % 8 !== 0) this.wrong("an incomplete slot");
    if (address + length > memory.byteLength) this.wrong(`${length} bytes outside its memory`);
    this.#view = new DataView(memory, address, length);
  }

  wrong(why) {
    throw new Failure(`${this.#name} returned a wrong answer: ${why}`);
  }

  number() {
    if (this.#at + 8 > this.#view.byteLength) this.wrong("it ends too early");
    this.#at += 8;
    return this.#view.getBigUint64(this.#at - 8, true);
  }

  real() {
    if (this.#at + 8 > this.#view.byteLength) this.wrong("it ends too early");
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  // A copy of octets with their length before them.
  octets() {
    const length = this.number();
    if (length > BigInt(this.#view.byteLength - this.#at)) this.wrong("it ends too early");
    const start = this.#view.byteOffset + this.#at;
    this.#at += Math.ceil(Number(length) / 8) * 8;
    return new Uint8Array(this.#view.buffer.slice(start, start + Number(length)));
  }

  end() {
    if (this.#at !== this.#view.byteLength) this.wrong("it is too long");
  }
}
