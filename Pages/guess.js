// What people guess of a job before it begins, how the room guessed, and how near that was.

import { histogram, isReal } from "./charts.js";
import { fill, list, make, say, sayOrHide, show } from "./dom.js";
import { isUnderWay } from "./session.js";
import { count, percent, significant } from "./words.js";

// A job that begins at once asks nobody: the question would only flash. In milliseconds.
const notice = 1_000;
// The most names that are told as the nearest.
const mostNearest = 3;
// The bins of the room's guesses: enough to see a shape, few enough that a class fills them.
const mostBins = 20;

// The question of a job: {place, reading}, whether the answer is a part of all, and the `choices` if it is which category is the
// largest; null if there is none.
// Every gateway and page has the same rule.
export function questionOf(job) {
  const places = job.readings.map((reading, place) => ({ reading, place }));
  const first = places.find(({ reading }) => !["histogram", "series"].includes(reading.kind));
  if (!first) return null;
  return { ...first, isPart: first.reading.kind === "proportion", choices: first.reading.kind === "category" ? places.filter(({ reading }) => reading.kind === "category") : null };
}

// Whether people can still guess: nothing is computed, and no answer is shown.
export function takesGuesses(job) {
  const isWaiting = job.state === "paused" || job.state === "waiting" && Date.now() - (job.since ?? 0) >= notice;
  return isWaiting && Number(job.trials) === 0 && questionOf(job) !== null && !isReal(questionOf(job).reading.exact);
}

// What was typed as a number: `0.5`, `0,5`, `50 %`, `1/2`; null if it is none.
export function numberIn(text) {
  const found = /^([-−+]?[\d.,]+(?:e[-+]?\d+)?)\s*(?:(%)|\/\s*([\d.,]+))?$/i.exec(text.trim());
  if (!found) return null;
  const [, first, isPercent, divisor] = found;
  const number = (part) => Number(part.replace("−", "-").replace(",", "."));
  const value = number(first) / (isPercent ? 100 : divisor ? number(divisor) : 1);
  return Number.isFinite(value) ? value : null;
}

// The true value of a number, or the place of the largest category; null while it is hidden or not known. Where nobody knows an
// exact answer, the finished run is the truth.
export function truthOf(job) {
  const question = questionOf(job);
  if (!question || job.hidesExact) return null;
  const known = ({ reading }) => (isReal(reading.exact) ? reading.exact : isUnderWay(job) ? null : reading.value);
  if (!question.choices) return known(question);
  const values = question.choices.map(known);
  return values.every(isReal) ? question.choices[values.indexOf(Math.max(...values))].place : null;
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

// How a room guessed a number: `nearest` has names.
export function judged(guesses, truth) {
  const values = guesses.map(([value]) => value);
  const middle = median(values);
  const off = (value) => Math.abs(value - truth);
  const least = isReal(truth) ? Math.min(...values.map(off)) : null;
  const nearest = isReal(truth) ? guesses.filter(([value]) => off(value) === least).map(([, name]) => name) : [];
  return { median: middle, nearest, least, off: isReal(truth) ? off(middle) : null };
}

// A guess has few digits, and the truth needs no more beside it.
const figure = (value) => significant(value, 4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "").replace("-", "−");

// `ana and ben`, `ana, ben and 3 more`.
function named(names) {
  const more = names.length > mostNearest + 1 ? [`${names.length - mostNearest} more`] : [];
  const all = [...names.slice(0, more.length ? mostNearest : names.length), ...more];
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

// The bins of guesses: of parts of a whole from 0 to 1, otherwise between the lowest and the highest.
export function binned(values, truth, isPart) {
  const all = isReal(truth) ? [...values, truth] : values;
  let [low, high] = [Math.min(...all), Math.max(...all)];
  if (isPart && low >= 0 && high <= 1) [low, high] = [0, 1];
  else if (low === high) [low, high] = [low - 1, high + 1];
  const counts = Array(mostBins).fill(0);
  for (const value of values) counts[Math.min(mostBins - 1, Math.floor(((value - low) / (high - low)) * mostBins))]++;
  return { low, high, counts };
}

let views = 0;

// The card of a job's guesses. `offer(job, value)` sends a guess.
export class GuessView {
  #job = null;
  #shown = "";

  constructor(offer) {
    const id = `guess-${++views}`;
    this.title = make("h3", "Guess first");
    this.label = make("label", { for: id }, "Your guess");
    this.field = make("input", { id, autocomplete: "off", maxlength: "30", "aria-describedby": `${id}-note` });
    this.note = make("p.note", { id: `${id}-note` });
    this.form = make("form.asked", this.label, make("div.line", this.field, make("button.strong", "Guess")), this.note);
    this.choices = make("div.line");
    this.pick = make("fieldset.asked", make("legend"), this.choices);
    this.own = make("p.own");
    this.room = make("p.room");
    this.truth = make("p.answer");
    this.chart = make("div.chart");
    this.bars = make("ul.bars");
    this.root = make("section.card guesses", this.title, this.form, this.pick, this.own, this.room, this.truth, this.chart, this.bars);
    // Until there is a job to guess.
    show(this.root, false);
    this.form.onsubmit = (event) => {
      event.preventDefault();
      const value = numberIn(this.field.value);
      if (value === null) say(this.note, "That is no number. Type for example 0.25, 25 % or 1/4.");
      else if (questionOf(this.#job).isPart && !(value >= 0 && value <= 1)) say(this.note, "A part of all is from 0 to 1. For 67 of 100, type 67 % or 67/100.");
      else offer(this.#job, value);
    };
    this.offer = (place) => offer(this.#job, place);
  }

  // What the card says of the room, and of this page, for a report.
  get words() {
    return [this.room, this.truth].filter((part) => !part.hidden).map((part) => part.textContent);
  }

  get ownWords() {
    return this.own.hidden ? "" : this.own.textContent;
  }

  // `guesses` are those of the room, and `own` is the value that this page guessed, or null.
  update(job, guesses, own) {
    const question = questionOf(job);
    const isOpen = takesGuesses(job);
    show(this.root, question !== null && (isOpen || guesses.length > 0));
    if (this.root.hidden) return;
    if (this.#job?.job !== job.job) {
      this.field.value = "";
      say(this.note, question.isPart ? "Type a part of all: 0.25, 25 % or 1/4." : "Type a number.");
    }
    this.#job = job;
    const asks = isOpen && own === null;
    const asked = question.choices ? "which will be the largest?" : `${question.isPart ? "how often " : ""}“${question.reading.name}”?`;
    say(this.title, isOpen ? `Guess first: ${asked}` : "What the room guessed");
    show(this.form, asks && !question.choices);
    show(this.pick, asks && question.choices !== null);
    if (question.choices) this.#choose(question.choices);
    sayOrHide(this.own, own === null ? "" : `You guessed ${this.#words(own, question)}.`);
    const number = count(guesses.length, "guess", "guesses");
    // Nobody is led by the others' guesses.
    say(this.room, isOpen ? `${number} so far. The room's guesses are shown when the job begins.` : this.#summary(guesses, question, number));
    sayOrHide(this.truth, isOpen ? "" : this.#judgement(job, guesses, question, own));
    this.#bars(isOpen || !question.choices ? [] : question.choices, guesses, truthOf(job));
    this.draw(guesses);
  }

  #words(value, question) {
    return question.choices ? (question.choices.find(({ place }) => place === value)?.reading.name ?? "something else") : figure(value);
  }

  #choose(choices) {
    say(this.pick.firstChild, "Which of these will be the largest?");
    list(this.choices, choices, ({ place }) => place, () => make("button", { type: "button" }), (button, { place, reading }) => {
      say(button, reading.name);
      button.onclick = () => this.offer(place);
    });
  }

  #summary(guesses, question, number) {
    if (question.choices) return `${number}.`;
    const values = guesses.map(([value]) => value);
    const [low, high] = [Math.min(...values), Math.max(...values)].map(figure);
    const spread = guesses.length < 2 ? "" : `, from ${low} to ${high}; the middle one is ${figure(median(values))}`;
    return `${number} of ${question.reading.name}${spread}.`;
  }

  #judgement(job, guesses, question, own) {
    const truth = truthOf(job);
    if (!isReal(truth)) return job.hidesExact ? "The host has not shown the answer yet." : "";
    if (question.choices) {
      const right = guesses.filter(([value]) => value === truth).length;
      const mine = own === null ? "" : own === truth ? " You were right." : " You were not.";
      return `The largest is ${this.#words(truth, question)}: ${right} of ${guesses.length} were right.${mine}`;
    }
    const { nearest, off } = judged(guesses, truth);
    const mine = own === null ? "" : ` You were off by ${figure(Math.abs(own - truth))}.`;
    return `The answer is ${figure(truth)}. Nearest: ${named(nearest)}. The room's middle is off by ${figure(off)}.${mine}`;
  }

  #bars(choices, guesses, truth) {
    list(this.bars, choices, ({ place }) => place, () => make("li", make("span"), make("div.bar", make("div")), make("span")), (row, { place, reading }) => {
      const votes = guesses.filter(([value]) => value === place).length;
      say(row.children[0], place === truth ? `${reading.name} ✓` : reading.name);
      fill(row.children[1].firstChild, guesses.length ? votes / guesses.length : 0);
      say(row.children[2], `${votes} (${percent(guesses.length ? votes / guesses.length : 0)})`);
    });
    show(this.bars, choices.length > 0);
  }

  // Draws the histogram in the width that the card has now.
  draw(guesses) {
    const job = this.#job;
    if (!job || this.root.hidden || this.root.clientWidth === 0) return;
    const question = questionOf(job);
    const isDrawn = guesses.length > 0 && !takesGuesses(job) && !question.choices;
    const truth = truthOf(job);
    const known = JSON.stringify([isDrawn, guesses.length, truth, this.chart.clientWidth, this.chart.clientHeight]);
    if (known === this.#shown) return;
    this.#shown = known;
    const bins = isDrawn ? binned(guesses.map(([value]) => value), truth, question.isPart) : null;
    show(this.chart, isDrawn);
    const drawing = isDrawn ? histogram(this.chart, bins, `guesses of ${question.reading.name}`, truth) : null;
    this.chart.replaceChildren(...(drawing ? [drawing] : []));
  }
}
