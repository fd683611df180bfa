// One job: its question, progress, readings with their charts, and the nodes that compute it.

import { cellMap, course, curve, histogram, isReal, map, pointsOf } from "./charts.js";
import { fill, list, make, say, sayOrHide, show } from "./dom.js";
import { GuessView, takesGuesses } from "./guess.js";
import { PlayView } from "./play.js";
import { given, isUnderWay, named, standing } from "./session.js";
import { amount, count, grouped, like, percent, rate, time, titled } from "./words.js";

export class JobView {
  #job = null;
  #course = [];
  #guesses = [];

  // `offer(job, value)` sends a guess, and `prepared(job)` returns what this device needs to play it. A report has neither.
  constructor({ offer = () => {}, prepared = () => null } = {}) {
    this.title = make("h2");
    this.summary = make("p.summary");
    this.given = make("p.given");
    this.facts = make("p.facts");
    this.state = make("p.state");
    this.bar = make("div");
    this.progress = make("div.bar", { role: "progressbar", "aria-label": "Progress" }, this.bar);
    this.trials = make("strong");
    this.pace = make("span");
    this.readings = make("div.readings");
    this.best = make("pre");
    this.map = make("div.map");
    this.solution = make("section.card solution", make("h3"), this.map, this.best);
    this.nodes = make("tbody");
    const heads = ["Name", "Share", "", "Speed", "Doing"].map((head) => head ? make("th", { scope: "col" }, head) : make("td"));
    this.table = make("section.card nodes", make("h3", "Who computes"),
      make("table", make("thead", make("tr", ...heads)), this.nodes));
    this.end = make("p.end");
    this.proof = make("dl");
    this.result = make("section.card result", make("h3", "Result"), this.end, this.proof);
    this.guess = new GuessView(offer);
    this.play = new PlayView(prepared);
    this.root = make("article.job", this.title, this.summary, this.given, this.facts, this.state, this.progress,
      make("p.count", this.trials, this.pace), this.solution, this.readings, this.guess.root, this.play.root, this.result,
      this.table);
    // The charts are drawn in real pixels, so another width needs another drawing.
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  get isRunning() {
    return this.#job !== null && isUnderWay(this.#job) && !takesGuesses(this.#job);
  }

  // `guesses` are those of the room, and `own` is what this page guessed, or null.
  update(job, points, guesses, own) {
    this.#job = job;
    this.#course = points;
    this.#guesses = guesses;
    say(this.title, titled(job.simulation));
    say(this.summary, job.summary);
    this.#sayFacts(job);
    this.#sayProgress(job);
    this.#showSolution(job);
    list(this.readings, job.readings, (reading, place) => `${reading.name} ${place}`, readingCard, fillCard);
    list(this.nodes, job.nodes, (node, place) => `${node.name} ${place}`, nodeRow, fillRow);
    show(this.table, job.nodes.length > 0);
    show(this.result, !isUnderWay(job) && Boolean(job.digest));
    list(this.proof, proofOf(job), ([name]) => name, () => make("div", make("dt"), make("dd")), (row, [name, text]) => {
      say(row.firstChild, name);
      say(row.lastChild, text);
      row.className = ["digest", "repeat"].includes(name) ? "code" : "";
    });
    sayOrHide(this.end, job.browsers);
    this.guess.update(job, guesses, own);
    this.play.update(job, !takesGuesses(job) || own !== null);
    // Cards without values would push the question out of sight.
    show(this.readings, !takesGuesses(job) || this.guess.root.hidden);
    this.draw();
  }

  #sayFacts(job) {
    sayOrHide(this.given, given(job).join(" · "));
    const facts = [];
    if (job.submitter) facts.push(`ordered by ${job.submitter}`);
    if (job.goal) facts.push(`goal: ${job.goal}`);
    say(this.facts, facts.join(" · "));
  }

  #sayProgress(job) {
    const part = job.fraction;
    show(this.progress, isReal(part));
    if (isReal(part)) {
      fill(this.bar, part);
      this.progress.setAttribute("aria-valuenow", Math.floor(part * 100));
    }
    sayOrHide(this.state, job.detail ?? (job.state === "running" ? "" : job.state));
    this.state.className = `state ${["failed", "lost"].includes(job.state) ? "bad" : ""}`;
    say(this.trials, job.isSearch ? `${percent(part ?? 0)} searched` : count(job.trials ?? 0, job.unit ?? "trial"));
    const pace = [];
    if (!job.isSearch && isReal(part) && isUnderWay(job)) pace.push(percent(part));
    if (isUnderWay(job) && isReal(job.rate)) pace.push(rate(job.rate));
    if (isUnderWay(job) && isReal(job.left)) pace.push(`${time(job.left)} left`);
    if (!isUnderWay(job) && isReal(job.elapsed)) pace.push(`in ${time(job.elapsed)}`);
    say(this.pace, pace.map((fact) => ` · ${fact}`).join(""));
  }

  #showSolution(job) {
    const best = job.isSearch ? job.best : null;
    show(this.solution, Boolean(best));
    if (!best) return;
    say(this.solution.firstChild, job.fraction < 1 ? "Best so far" : "The best");
    const drawing = best.points?.length > 1 ? map(best.points, titled(job.simulation)) : null;
    this.map.replaceChildren(...(drawing ? [drawing] : []));
    sayOrHide(this.best, best.text);
  }

  // Draws the charts, in the sizes that their cards have now.
  draw() {
    const job = this.#job;
    if (!job || this.root.clientWidth === 0) return;
    this.guess.draw(this.#guesses);
    this.play.draw();
    job.readings.forEach((reading, place) => {
      const { chart, legend } = this.readings.children[place].parts;
      const drawing = reading.bins ? histogram(chart, reading.bins, reading.name)
        : reading.cells ? cellMap(chart, reading.cells, reading.name)
        : reading.kind === "series" ? curve(chart, reading.curve ?? [], reading.name)
        : course(chart, pointsOf(job, this.#course, place), reading, job.isSearch, job.unit);
      chart.replaceChildren(...(drawing ? [drawing] : []));
      show(legend, drawing !== null && (isReal(reading.low) || reading.kind === "series"));
      show(legend.exact, isReal(reading.exact));
    });
  }
}

// What lets anybody compute a finished run again, in the words of the terminal's result.
export function proofOf(job) {
  const tally = (job.counts ?? []).map(([name, number]) => `${name} ${grouped(number)}`).join(" · ");
  return [["tally", tally], ["seed", job.seed], ["digest", job.digest], ["repeat", job.repeat]].filter(([, text]) => text);
}

function readingCard() {
  const parts = {
    name: make("h3"), value: make("p.figure"), interval: make("p.interval"),
    part: make("div.bar", make("div")), exact: make("p.answer"), note: make("p.note"), chart: make("div.chart"),
  };
  const exact = make("span.key exact", "exact answer");
  parts.legend = make("p.legend", make("span.key value", "value"),
    make("span.key band", "95 % interval"), exact);
  parts.legend.exact = exact;
  const card = make("section.card reading", ...Object.values(parts));
  card.parts = parts;
  return card;
}

const isPicture = ({ kind }) => ["histogram", "histogram2D", "series"].includes(kind);

function fillCard({ parts }, reading) {
  const { value, low, high, exact } = reading;
  const isKnown = isReal(value);
  say(parts.name, reading.name);
  sayOrHide(parts.value, isPicture(reading) ? "" : reading.text);
  show(parts.part, reading.kind === "category" && isKnown);
  fill(parts.part.firstChild, isKnown ? value : 0);
  // The projector makes the figure as large as its card lets it.
  parts.value.style.setProperty("--letters", Math.max(5, (reading.text ?? "").length));
  const hasInterval = isKnown && isReal(low) && isReal(high);
  sayOrHide(parts.interval, hasInterval ? `95 % interval ${like(reading.text, low)} … ${like(reading.text, high)}` : "");
  let answer = isReal(exact) ? `exact ${like(reading.text, exact)}` : "";
  // Half an interval is 1.96 standard errors.
  const error = hasInterval ? (high - low) / 3.92 : 0;
  if (answer && error > 0) answer += `, off by ${(Math.abs(value - exact) / error).toFixed(1)} std. errors`;
  sayOrHide(parts.exact, answer);
  sayOrHide(parts.note, reading.note);
}

function nodeRow() {
  const parts = { name: make("th", { scope: "row" }), share: make("td"), bar: make("div"), speed: make("td"), work: make("td") };
  const row = make("tr", parts.name, parts.share,
    make("td.share", make("div.bar", parts.bar)), parts.speed, parts.work);
  row.parts = parts;
  return row;
}

function fillRow({ parts }, node) {
  const kind = node.kind === "browser" ? "browser" : node.cores ? count(node.cores, "core") : "";
  say(parts.name, node.name);
  say(parts.share, percent(node.share ?? 0));
  fill(parts.bar, node.share ?? 0);
  say(parts.speed, isReal(node.rate) ? rate(node.rate) : "");
  const checked = node.recomputed > 0 ? `${percent(node.recomputed)} recomputed` : "";
  say(parts.work, [kind, node.state, checked].filter(Boolean).join(", "));
}

// One line for people who cannot see the page, and for the window's title.
export function sentence(job) {
  const values = job.readings.filter((reading) => reading.text && !isPicture(reading));
  const readings = values.slice(0, 4).map((reading) => `${reading.name} ${reading.text}`);
  const done = job.isSearch ? `${percent(job.fraction ?? 0)} searched` : `${amount(Number(job.trials ?? 0))} ${job.unit ?? "trial"}s`;
  return `${named(job)}, ${standing(job)}: ${[done, ...readings].join(", ")}.`;
}
