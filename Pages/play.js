// Single trials on this device: one, ten or a hundred, so that a reader sees how chance settles from its start. They are the
// reader's own: another seed than the job's, and no part of its result.

import { course, isReal } from "./charts.js";
import { make, say, sayOrHide, show } from "./dom.js";
import { questionOf } from "./guess.js";
import { random } from "./octets.js";
import { playFrames, trialLog } from "./sketch.js";
import { empty, merge } from "./tally.js";
import { count, significant } from "./words.js";

// The buttons, and how many trials each plays.
const amounts = [[1, "One trial"], [10, "Ten"], [100, "A hundred"]];
// A call that takes longer than the order allows is ended, after this many milliseconds more.
const grace = 1_000;
// The trials that are drawn: what comes later hardly moves on the chart.
const mostTrials = 10_000;

const numbers = (readings) => readings.filter(({ kind }) => !["histogram", "series"].includes(kind));
const short = (value) => significant(value, 4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

// What came of a single trial, in words: the events that happened, or else the values.
export function told(readings, values) {
  const known = numbers(readings.map((reading, place) => ({ ...reading, value: values[place] }))).filter(({ value }) => isReal(value));
  const events = known.filter(({ kind }) => ["proportion", "category"].includes(kind));
  const happened = events.filter(({ value }) => value === 1).map(({ name }) => name);
  const others = known.filter((one) => !events.includes(one) && one.kind !== "variance").map(({ name, value }) => `${name} ${short(value)}`);
  return [...happened, ...others].join(", ") || (events.length ? `no ${events.map(({ name }) => name).join(", no ")}` : "");
}

// The card with which a reader plays trials of a job. `prepared(job)` returns {order, module, tables} once this device has them,
// and null before.
export class PlayView {
  #prepared;
  #job = null;
  #worker = null;
  #watch = null;
  // Ends the animation.
  #still = () => {};
  // What was played of the job: the seed, the tally, and a point of the readings after each trial.
  #played = null;

  constructor(prepared) {
    this.#prepared = prepared;
    this.buttons = amounts.map(([amount, words]) => {
      const button = make("button", { type: "button" }, words);
      button.onclick = () => this.#play(amount);
      return button;
    });
    this.again = make("button", { type: "button" }, "Start over");
    this.again.onclick = () => this.#begin();
    this.last = make("p.last");
    this.notes = make("ul.facts");
    this.picture = make("div.sketch");
    this.sum = make("p.sum");
    this.chart = make("div.chart");
    this.root = make("section.card play", make("h3", "Play it yourself"), make("div.line", ...this.buttons, this.again), this.picture, this.last, this.notes, this.sum, this.chart,
      make("p.note", "On this device and with its own numbers. What you play is no part of the room's result."));
    // Until there is a job to play.
    show(this.root, false);
  }

  // `isAllowed` is false while the reader has to guess first.
  update(job, isAllowed) {
    const isOther = this.#job?.job !== job.job;
    this.#job = job;
    if (isOther) this.#begin();
    show(this.root, isAllowed && this.#prepared(job.job)?.order.shape === 1);
    this.draw();
  }

  #begin() {
    this.#end();
    const drawn = new DataView(random(8).buffer).getBigUint64(0);
    this.#played = { seed: `${drawn}`, tally: null, points: [], isFull: false };
    for (const part of [this.last, this.sum]) sayOrHide(part, "");
    this.#tell("", false);
    this.draw();
    this.#disable(false);
  }

  #end() {
    clearTimeout(this.#watch);
    this.#worker?.terminate();
    this.#worker = null;
  }

  #disable(isDisabled) {
    for (const button of this.buttons) button.disabled = isDisabled;
  }

  #play(amount) {
    const prepared = this.#prepared(this.#job.job);
    if (!prepared) return;
    const played = this.#played;
    const { order } = prepared;
    played.tally ??= empty(order.layout);
    this.#disable(true);
    if (!this.#worker) {
      this.#worker = new Worker("worker.js", { type: "module" });
      this.#worker.postMessage({ do: "prepare", job: order.job, ...prepared, order: { ...order, seed: played.seed, trials: null } });
    }
    this.#worker.onmessage = ({ data }) => {
      if (data.is !== "played" || played !== this.#played) return;
      clearTimeout(this.#watch);
      if (data.why) return this.#fail(data.why);
      this.#take(played, data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message || "the worker of this browser stopped");
    };
    this.#watch = setTimeout(() => this.#fail("a trial takes too long"), 1000 * order.seconds + grace);
    this.#worker.postMessage({ do: "play", job: order.job, first: BigInt(played.points.length), count: amount, tally: played.tally });
  }

  #fail(why) {
    this.#end();
    this.#disable(false);
    sayOrHide(this.last, `This device cannot play it: ${why}.`);
  }

  // Shows what a trial noted and drew.
  #tell(log, isMoving) {
    const { notes, frames } = trialLog(log);
    this.#still();
    this.#still = playFrames(this.picture, frames, notes.join("; ") || "A picture of the trial", isMoving);
    this.notes.replaceChildren(...notes.map((note) => make("li", note)));
    show(this.picture, frames.length > 0);
    show(this.notes, notes.length > 0);
  }

  // `singles` and `sums` have the values of all readings: of each trial alone, and of all trials up to it.
  #take(played, { singles, sums, tally, log }) {
    played.tally = tally;
    sums.forEach((values, place) => played.points.push({ trials: played.points.length + 1, values, single: singles[place] }));
    const { readings } = this.#job;
    const number = played.points.length;
    this.#tell(log, singles.length === 1);
    sayOrHide(this.last, `Trial ${number}: ${told(readings, played.points.at(-1).single.map(([value]) => value))}.`);
    const values = played.points.at(-1).values;
    const known = numbers(readings.map((reading, place) => ({ ...reading, value: values[place]?.[0] }))).filter(({ value }) => isReal(value));
    sayOrHide(this.sum, `After ${count(number, "trial")}: ${known.map(({ name, value }) => `${name} ${short(value)}`).join(" · ")}.`);
    this.#disable(number >= mostTrials);
    this.draw();
  }

  draw() {
    if (!this.#job || this.root.hidden || this.root.clientWidth === 0) return;
    const question = questionOf(this.#job);
    const points = (this.#played?.points ?? []).map(({ trials, values }) => {
      const [value, low, high] = values[question?.place] ?? [];
      return { x: trials, value, low, high };
    }).filter(({ value }) => isReal(value));
    const drawing = question ? course(this.chart, points, question.reading, false) : null;
    this.chart.replaceChildren(...(drawing ? [drawing] : []));
  }
}
