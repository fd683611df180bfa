// One job: its question, progress, readings with their charts, and the nodes that compute it.

import { course, histogram, map, pointsOf } from "./charts.js";
import { fill, list, make, say, show } from "./dom.js";
import { isUnderWay } from "./session.js";
import { amount, count, grouped, like, percent, rate, time, titled } from "./words.js";

export class JobView {
  #job = null;
  #course = [];

  constructor() {
    this.title = make("h2");
    this.summary = make("p", { class: "summary" });
    this.facts = make("p", { class: "facts" });
    this.state = make("p", { class: "state" });
    this.bar = make("div");
    this.progress = make("div", { class: "bar", role: "progressbar", "aria-label": "Progress" }, this.bar);
    this.trials = make("strong");
    this.pace = make("span");
    this.readings = make("div", { class: "readings" });
    this.best = make("pre");
    this.map = make("div", { class: "map" });
    this.solution = make("section", { class: "card solution" }, make("h3", {}, "Best so far"), this.map, this.best);
    this.nodes = make("tbody");
    const heads = ["Name", "Share", "", "Speed", "Doing"].map((head) => make("th", { scope: "col" }, head));
    this.table = make("section", { class: "card nodes" }, make("h3", {}, "Who computes"),
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), this.nodes));
    this.end = make("p", { class: "end" });
    this.digest = make("code");
    this.result = make("section", { class: "card result" }, make("h3", {}, "Result"), this.end,
      make("p", {}, "Digest ", this.digest),
      make("p", { class: "note" }, "Everybody who computes the same trials with the same seed gets the same digest."));
    this.root = make("article", { class: "job" }, this.title, this.summary, this.facts, this.state, this.progress,
      make("p", { class: "count" }, this.trials, this.pace), this.solution, this.readings, this.result, this.table);
    // The charts are drawn in real pixels, so another width needs another drawing.
    new ResizeObserver(() => this.#draw()).observe(this.root);
  }

  update(job, points) {
    this.#job = job;
    this.#course = points;
    say(this.title, titled(job.simulation));
    say(this.summary, job.summary);
    this.#sayFacts(job);
    this.#sayProgress(job);
    this.#showSolution(job);
    list(this.readings, job.readings ?? [], (reading, place) => `${reading.name} ${place}`, readingCard, fillCard);
    list(this.nodes, job.nodes ?? [], (node, place) => `${node.name} ${place}`, nodeRow, fillRow);
    show(this.table, (job.nodes ?? []).length > 0);
    show(this.result, !isUnderWay(job) && Boolean(job.digest));
    say(this.digest, job.digest);
    say(this.end, [job.detail, job.browsers].filter(Boolean).join(". "));
    this.#draw();
  }

  #sayFacts(job) {
    const given = (job.parameters ?? []).filter((parameter) => !parameter.isDefault);
    const facts = given.map(({ name, value }) => `${name} ${value}`);
    if (job.submitter) facts.push(`ordered by ${job.submitter}`);
    if (job.goal) facts.push(job.goal);
    say(this.facts, facts.join(" · "));
  }

  #sayProgress(job) {
    const part = job.fraction;
    show(this.progress, typeof part === "number");
    if (typeof part === "number") {
      fill(this.bar, part);
      this.progress.setAttribute("aria-valuenow", Math.floor(part * 100));
    }
    const words = { waiting: "waiting", paused: "paused", stopping: "finishing the current blocks", done: "done", failed: "failed" };
    const detail = isUnderWay(job) || !job.digest ? job.detail : null;
    const state = [words[job.state], detail].filter(Boolean).join(": ");
    say(this.state, state);
    show(this.state, state !== "");
    this.state.className = `state ${job.state === "failed" ? "bad" : ""}`;
    say(this.trials, job.isSearch ? `${percent(part ?? 0)} searched` : count(job.trials ?? 0, "trial"));
    const pace = [];
    if (!job.isSearch && typeof part === "number" && isUnderWay(job)) pace.push(percent(part));
    if (isUnderWay(job) && typeof job.rate === "number") pace.push(rate(job.rate));
    if (isUnderWay(job) && typeof job.left === "number") pace.push(`${time(job.left)} left`);
    if (!isUnderWay(job) && typeof job.elapsed === "number") pace.push(`in ${time(job.elapsed)}`);
    say(this.pace, pace.map((fact) => ` · ${fact}`).join(""));
  }

  #showSolution(job) {
    const best = job.isSearch ? job.best : null;
    show(this.solution, Boolean(best));
    if (!best) return;
    const drawing = best.points?.length > 1 ? map(best.points, titled(job.simulation)) : null;
    this.map.replaceChildren(...(drawing ? [drawing] : []));
    show(this.best, Boolean(best.text) && !drawing);
    say(this.best, best.text);
  }

  #draw() {
    const job = this.#job;
    if (!job || this.root.clientWidth === 0) return;
    (job.readings ?? []).forEach((reading, place) => {
      const { chart, legend } = this.readings.children[place].parts;
      const drawing = reading.bins ? histogram(chart, reading.bins, reading.name)
        : course(chart, pointsOf(job, this.#course, place), reading, job.isSearch);
      chart.replaceChildren(...(drawing ? [drawing] : []));
      show(legend, drawing !== null && !reading.bins && typeof reading.low === "number");
      show(legend.exact, typeof reading.exact === "number");
    });
  }
}

function readingCard() {
  const parts = {
    name: make("h3"), value: make("p", { class: "figure" }), interval: make("p", { class: "interval" }),
    exact: make("p", { class: "answer" }), note: make("p", { class: "note" }), chart: make("div", { class: "chart" }),
  };
  const exact = make("span", { class: "key exact" }, "exact answer");
  parts.legend = make("p", { class: "legend" }, make("span", { class: "key value" }, "value"),
    make("span", { class: "key band" }, "95 % interval"), exact);
  parts.legend.exact = exact;
  const card = make("section", { class: "card reading" }, ...Object.values(parts));
  card.parts = parts;
  return card;
}

function fillCard({ parts }, reading) {
  const { value, low, high, exact } = reading;
  const isKnown = typeof value === "number";
  say(parts.name, reading.name);
  say(parts.value, reading.text);
  // The projector makes the figure as large as its card lets it.
  parts.value.style.setProperty("--letters", Math.max(5, (reading.text ?? "").length));
  show(parts.value, Boolean(reading.text) && !reading.bins);
  const hasInterval = isKnown && typeof low === "number" && typeof high === "number";
  say(parts.interval, hasInterval ? `95 % interval ${like(reading.text, low)} … ${like(reading.text, high)}` : "");
  show(parts.interval, hasInterval);
  let answer = typeof exact === "number" ? `exact ${like(reading.text, exact)}` : "";
  // Half an interval is 1.96 standard errors.
  const error = hasInterval ? (high - low) / 3.92 : 0;
  if (answer && error > 0) answer += `, off by ${(Math.abs(value - exact) / error).toFixed(1)} std. errors`;
  say(parts.exact, answer);
  show(parts.exact, answer !== "");
  say(parts.note, [reading.note, outside(reading.bins)].filter(Boolean).join(" "));
  show(parts.note, parts.note.textContent !== "");
}

function outside(bins) {
  const below = Number(bins?.below ?? 0);
  const above = Number(bins?.above ?? 0);
  if (below + above === 0) return null;
  return `Outside the drawing: ${grouped(below)} below, ${grouped(above)} above.`;
}

function nodeRow() {
  const parts = { name: make("th", { scope: "row" }), share: make("td"), bar: make("div"), speed: make("td"), work: make("td") };
  const row = make("tr", {}, parts.name, parts.share,
    make("td", { class: "share" }, make("div", { class: "bar" }, parts.bar)), parts.speed, parts.work);
  row.parts = parts;
  return row;
}

function fillRow({ parts }, node) {
  const kind = node.kind === "browser" ? "browser" : node.cores ? count(node.cores, "core") : "";
  say(parts.name, node.name);
  say(parts.share, percent(node.share ?? 0));
  fill(parts.bar, node.share ?? 0);
  say(parts.speed, typeof node.rate === "number" ? rate(node.rate) : "");
  const checked = node.recomputed > 0 ? `${percent(node.recomputed)} recomputed` : "";
  say(parts.work, [kind, node.state, checked].filter(Boolean).join(", "));
}

/** One line for people who cannot see the page, and for the window's title. */
export function sentence(job) {
  const values = (job.readings ?? []).filter((reading) => reading.text && !reading.bins);
  const readings = values.slice(0, 4).map((reading) => `${reading.name} ${reading.text}`);
  const done = job.isSearch ? `${percent(job.fraction ?? 0)} searched` : `${amount(Number(job.trials ?? 0))} trials`;
  return `${titled(job.simulation)}, ${job.state}: ${[done, ...readings].join(", ")}.`;
}
