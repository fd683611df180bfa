// The Web Workers of this page, and the chunks that wait for them.

import { base64 } from "./octets.js";
import { empty } from "./tally.js";

// How often the limits are looked at, in milliseconds.
const tick = 250;
// A tick counts at most this much of a call's time: a page that slept for an hour must not blame the module for it.
const longestTick = 500;

// Texts of the browser's become lines of the protocol.
export const line = (text) => text.replace(/\p{C}+/gu, " ").slice(0, 300);

// The hooks are `send(message)` to the gateway and `changed()`.
export class Crew {
  size = 0;
  // Trials that this device has computed since the page was opened.
  trials = 0;
  #send;
  #changed;
  // Each is {worker, task, jobs, calling}; a task is {kind, job, attempt, first, blocks, isSingly, isVoid, at, settle}.
  #members = [];
  #waiting = [];
  // Prepared jobs by ID: {order, module, tables}.
  #jobs = new Map();
  #timer = null;
  #looked = 0;

  constructor({ send, changed }) {
    this.#send = send;
    this.#changed = changed;
  }

  // The jobs of the chunks that are being computed.
  get current() {
    return [...new Set(this.#members.flatMap(({ task }) => (task ? [task.job] : [])))];
  }

  // Sets how many cores compute. With 0 all work in hand is forgotten at once.
  resize(size) {
    this.size = size;
    if (size === 0) {
      this.#members.forEach((member) => member.worker.terminate());
      this.#members = [];
      this.#waiting = [];
      this.#jobs.clear();
      clearInterval(this.#timer);
      this.#timer = null;
    } else {
      this.#timer ??= setInterval(() => this.look(), tick);
    }
    this.#work();
  }

  // Makes a job known, and sees whether a worker can prepare it. Returns why not, or null.
  prepare(id, prepared) {
    this.#jobs.set(id, prepared);
    return new Promise((settle) => {
      this.#waiting.unshift({ kind: "check", job: id, settle });
      this.#work();
    });
  }

  add(job, chunks) {
    if (!this.#jobs.has(job)) return;
    for (const [attempt, first, blocks] of chunks) {
      this.#waiting.push({ kind: "chunk", job, attempt, first: BigInt(first), blocks, isSingly: false });
    }
    this.#work();
  }

  drop(attempts) {
    this.#cancel((task) => attempts.includes(task.attempt));
  }

  // Chunks of the job end at the next block. Those that have not begun end before their first.
  interrupt(job) {
    const isOf = (task) => task.kind === "chunk" && task.job === job;
    for (const task of this.#waiting.filter(isOf)) {
      const { layout, writes } = this.#jobs.get(job).order;
      const tally = base64(new Uint8Array(empty(layout).buffer));
      this.#tell(task, { do: "done", end: String(task.first), busy: 0, tally, output: writes ? 0 : null });
    }
    this.#waiting = this.#waiting.filter((task) => !isOf(task));
    for (const { worker, task } of this.#members) if (task && isOf(task)) worker.postMessage({ do: "interrupt" });
  }

  forget(job) {
    this.#jobs.delete(job);
    this.#cancel((task) => task.job === job);
    for (const { worker, jobs } of this.#members) if (jobs.delete(job)) worker.postMessage({ do: "forget", job });
  }

  // Ends tasks of which nothing is to come.
  #cancel(isGone) {
    this.#waiting = this.#waiting.filter((task) => !isGone(task));
    for (const { worker, task } of this.#members) {
      if (!task || !isGone(task)) continue;
      task.isVoid = true;
      worker.postMessage({ do: "drop" });
    }
  }

  // Ends workers whose call takes too long. Called by a timer and, because timers of a hidden tab are slow, by messages.
  look() {
    const now = performance.now();
    const passed = Math.min(longestTick, now - this.#looked);
    this.#looked = now;
    for (const member of [...this.#members]) {
      if (!member.task || member.calling === null) continue;
      member.calling += passed;
      const limit = this.#jobs.get(member.task.job)?.order.seconds ?? 0;
      if (member.calling > 1000 * limit + longestTick) this.#hangs(member, limit);
    }
  }

  #work() {
    while (this.#waiting.length > 0) {
      let member = this.#members.find(({ task }) => !task);
      if (!member && this.#members.length < this.size) member = this.#hire();
      if (!member) break;
      this.#begin(member, this.#waiting.shift());
    }
    // A smaller crew lets those go that have nothing to do.
    while (this.#members.length > this.size) {
      const idle = this.#members.find(({ task }) => !task);
      if (!idle) break;
      this.#dismiss(idle);
    }
    this.#changed();
  }

  #hire() {
    const member = { worker: new Worker("worker.js", { type: "module" }), task: null, jobs: new Set(), calling: null };
    member.worker.onmessage = ({ data }) => this.#hear(member, data);
    member.worker.onerror = (event) => {
      event.preventDefault();
      this.#stopped(member, event.message || "the worker of this browser stopped");
    };
    this.#members.push(member);
    return member;
  }

  #dismiss(member) {
    member.worker.terminate();
    this.#members = this.#members.filter((one) => one !== member);
  }

  #begin(member, task) {
    const { job } = task;
    const prepared = this.#jobs.get(job);
    if (!member.jobs.has(job)) {
      member.jobs.add(job);
      member.worker.postMessage({ do: "prepare", job, ...prepared });
    }
    member.task = task;
    member.calling = null;
    const { attempt, first, blocks, isSingly } = task;
    member.worker.postMessage({ do: task.kind, job, attempt, first, blocks, isSingly });
  }

  #hear(member, message) {
    const { task } = member;
    if (!task || !this.#members.includes(member)) return;
    member.calling = 0;
    this.look();
    switch (message.is) {
      case "alive":
        task.at = message.at;
        return;
      case "output":
        this.#tell(task, { do: "output", octets: message.octets });
        return;
      case "checked":
        task.settle(message.why);
        break;
      case "done": {
        const { end, busy, tally, output } = message;
        this.trials += Number(end - task.first) * (this.#jobs.get(task.job)?.order.block ?? 0);
        this.#tell(task, { do: "done", end: String(end), busy, tally, output });
        break;
      }
      case "failed":
        this.#fail(task, message.block, message.why);
        break;
      case "full":
        this.#tell(task, { do: "unable", job: task.job, why: line(message.why) });
        this.forget(task.job);
        break;
    }
    member.task = null;
    this.#work();
  }

  #tell(task, message) {
    if (!task.isVoid) this.#send({ attempt: task.attempt, ...message });
  }

  #fail(task, block, why) {
    this.#tell(task, { do: "failed", block: String(block), why: line(why) });
  }

  #hangs(member, limit) {
    const { task } = member;
    // A call of several blocks does not show which of them hangs; the first has only one. What a chunk wrote is sent
    // at its end, so nothing is sent twice.
    if (task.kind === "chunk" && !task.isSingly && task.at > task.first && !task.isVoid) {
      this.#dismiss(member);
      this.#waiting.unshift({ ...task, isSingly: true });
      this.#work();
    } else {
      this.#stopped(member, `one call took longer than ${limit} s; it hangs, or its blocks are too long: write blockSize, or in Python steps`);
    }
  }

  #stopped(member, why) {
    const { task } = member;
    this.#dismiss(member);
    if (task?.kind === "check") task.settle(why);
    else if (task) this.#fail(task, task.at ?? task.first, why);
    this.#work();
  }
}
