// The host's panel: what the host can start, and buttons for the job in view, for those who wait, and for messages to all.

import { find, list, make, say, sayOrHide, show } from "./dom.js";
import { isReal } from "./charts.js";
import { isUnderWay, named } from "./session.js";
import { announce } from "./status.js";
import { titled } from "./words.js";
import { Writer } from "./write.js";

// A button that cannot be undone asks again for this long, in milliseconds.
const doubt = 4_000;
// A slider with more steps than this is no use to a hand.
const mostSteps = 1_000;
// The trials that a form begins with: a second or less on any laptop.
const usual = "1e6";

// A button that acts when it is pressed twice. `what` is for those who hear it alone.
export function twice(words, what = "") {
  const button = make("button", { type: "button" });
  let timer = null;
  const tell = (text) => {
    say(button, text);
    button.setAttribute("aria-label", `${text} ${what}`.trim());
  };
  const calm = () => {
    clearTimeout(timer);
    timer = null;
    tell(words);
  };
  calm();
  button.onclick = () => {
    if (timer === null) {
      tell(`Really ${words.toLowerCase()}?`);
      timer = setTimeout(calm, doubt);
    } else {
      calm();
      button.act();
    }
  };
  return button;
}

function press(words, act) {
  const button = make("button", { type: "button" }, words);
  button.onclick = act;
  return button;
}

// The panel of a page with the host's ticket. `send(message)` sends a message to the gateway.
export class HostPanel {
  isHost = false;
  #send;
  #gallery = [];
  #newcomers = [];
  #files = [];
  #job = null;
  // Whether a job was under way when the gallery was last folded or unfolded.
  #wasOpen = null;

  constructor(send) {
    this.#send = send;
    const order = (what) => () => send({ do: what, job: this.#job.job });
    this.pause = press("Pause", order("pause"));
    this.resume = press("Resume", order("resume"));
    this.reveal = press("Show answers", order("reveal"));
    this.hide = press("Hide answers", order("hide"));
    this.cancel = twice("Cancel");
    this.cancel.act = order("cancel");
    this.about = make("p.about");
    // Hidden until a job is in view: before the first drawing, there is none.
    this.acts = make("div.line", { role: "group", "aria-label": "This job", hidden: "" }, this.pause, this.resume, this.reveal, this.hide, this.cancel);
    this.waiting = make("ul.newcomers");
    this.sent = make("ul.newcomers sent");
    this.text = make("input", { id: "say", maxlength: "1000", autocomplete: "off" });
    this.form = make("form.line", make("label", { for: "say" }, "Message to all"), this.text, make("button", "Say"));
    this.form.onsubmit = (event) => {
      event.preventDefault();
      if (this.text.value.trim() !== "") send({ do: "say", text: this.text.value });
      this.text.value = "";
    };
    this.answer = make("p.answered");
    this.cards = make("ul.gallery");
    this.writer = new Writer(send, startForm);
    this.choice = make("details", { open: "" }, make("summary", make("h3", "Start a simulation")), this.cards);
    find("host").append(make("h2", "Host"), this.about, this.acts, this.waiting, this.sent, this.form, this.answer, this.choice);
  }

  // Takes a message. Returns false if it is about something else.
  take(message) {
    if (this.writer.take(message)) return true;
    switch (message.is) {
      case "welcome":
        this.isHost = message.isHost === true;
        this.#gallery = [];
        this.#newcomers = [];
        this.#files = [];
        this.#showFiles();
        show(find("host"), this.isHost);
        return false;
      case "simulation":
        this.#gallery.push({ key: message.key, ...message.simulation });
        list(this.cards, this.#gallery, ({ key }) => key, (one) => card(one, this.#send), () => {});
        return true;
      case "newcomers":
        this.#newcomers = message.nodes;
        this.#showNewcomers();
        return true;
      case "proposals":
        this.#files = message.files;
        this.#showFiles();
        return true;
      case "answer":
        sayOrHide(this.answer, message.text);
        announce(message.text);
        this.answer.classList.toggle("bad", message.refused === true);
        return true;
      default:
        return false;
    }
  }

  // Removes a member, by its name.
  remove = (name) => this.#send({ do: "remove", name });

  // `job` is the one in view; null if there is none.
  update(job) {
    if (!this.isHost) return;
    this.#job = job;
    const isOpen = job !== null && isUnderWay(job);
    const isPaused = job?.state === "paused";
    const knows = job?.readings.some(({ exact }) => isReal(exact)) ?? false;
    show(this.pause, isOpen && ["waiting", "running"].includes(job.state));
    show(this.resume, isPaused);
    show(this.reveal, job?.hidesExact === true);
    show(this.hide, knows);
    show(this.cancel, isOpen);
    sayOrHide(this.about, job === null ? "" : named(job));
    show(this.acts, isOpen || knows || job?.hidesExact === true);
    if (isOpen === this.#wasOpen) return;
    // What was done to the job before is old. A refusal stays, because its reader may not have seen it.
    if (isOpen && !this.answer.classList.contains("bad")) sayOrHide(this.answer, "");
    // Folded while something runs, so that its result is in sight.
    this.choice.open = !isOpen;
    if (isOpen && this.writer.hasStarted) this.writer.root.open = this.writer.hasStarted = false;
    this.#wasOpen = isOpen;
  }

  #showNewcomers() {
    show(this.waiting, this.#newcomers.length > 0);
    const row = () => make("li.line", make("span"), press("Approve"), press("Decline"));
    list(this.waiting, this.#newcomers, ({ node }) => node, row, (element, { node, name }) => {
      const [label, approve, decline] = element.children;
      say(label, `${name} asks to join`);
      approve.setAttribute("aria-label", `Approve ${name}`);
      decline.setAttribute("aria-label", `Decline ${name}`);
      approve.onclick = () => this.#send({ do: "accept", node });
      decline.onclick = () => this.#send({ do: "decline", node });
    });
  }

  // What guests wrote. Opened, it is a text of this editor, which runs once it is saved and started.
  #showFiles() {
    show(this.sent, this.#files.length > 0);
    const row = () => make("li.line", make("span"), press("Open"), press("Decline"));
    list(this.sent, this.#files, ({ number }) => number, row, (element, { number, by, name }) => {
      const [label, open, decline] = element.children;
      say(label, `${by} wrote ${name}`);
      open.setAttribute("aria-label", `Open ${name} of ${by}`);
      decline.setAttribute("aria-label", `Decline ${name} of ${by}`);
      open.onclick = () => this.writer.mayDrop() && this.#send({ do: "take", number });
      decline.onclick = () => this.#send({ do: "reject", number });
    });
  }
}

let fields = 0;

// A simulation of the gallery: its question, and behind it the form that starts it.
function card(simulation, send) {
  const head = make("summary", make("strong", titled(simulation.key)), " ", make("span.what", simulation.summary));
  return make("li", make("details", { name: "gallery" }, head, startForm(simulation.key, simulation, send)));
}

// The form that starts a simulation by its key.
function startForm(key, simulation, send) {
  const parts = simulation.parameters.map(field);
  const trials = entry("Trials", simulation.ends ? "" : usual, simulation.ends ? "All, if nothing is typed." : "Such as 1000000, 1e6 or 1M.");
  const time = entry("Or a time", "", "Such as 30s or 2m.");
  const [asks, slow] = ["asks", "slow"].map(() => make("input", { type: "checkbox" }));
  const form = make("form.start", ...parts.map(({ root }) => root), trials.root, time.root,
    make("label.check", asks, "The room guesses first"), make("label.check", slow, "Begin slowly: 1 trial, 2, 5, 10"), make("div.line", make("button.strong", "Start"),
      ...(simulation.parameters.some(({ minimum, kind }) => minimum !== undefined && kind !== "several") ? [make("span.note", "Several values, as 3,5 or 3..6, are several jobs.")] : [])));
  form.onsubmit = (event) => {
    event.preventDefault();
    const changed = parts.filter(({ read, standard }) => read() !== standard);
    send({
      do: "start", simulation: key, parameters: changed.map(({ name, read }) => [name, read()]),
      trials: trials.read() || null, time: time.read() || null, asks: asks.checked,
      isSlow: slow.checked,
    });
  };
  return form;
}

// A labelled field for a text.
function entry(label, value, help) {
  const id = `field-${++fields}`;
  const input = make("input", { id, value, autocomplete: "off", maxlength: "60", "aria-describedby": `${id}-note` });
  const root = make("div.field", make("label", { for: id }, label), input, make("span.note", { id: `${id}-note` }, help));
  return { root, input, read: () => input.value.trim() };
}

// The field of a parameter: {root, name, standard, read()}. Values are texts, as users of the terminal type them.
function field(parameter) {
  const { name, kind, help, choices } = parameter;
  const made = kind === "choice" ? choiceOf(parameter) : kind === "flag" ? flagOf(parameter)
    : kind === "several" ? severalOf(name, help, choices, parameter.default) : numberOf(parameter);
  return { ...made, name, standard: made.read() };
}

function numberOf({ name, kind, help, minimum, maximum, default: standard }) {
  const { root, input, read } = entry(name, `${standard}`, `${help}, ${minimum} to ${maximum}`);
  input.inputMode = "decimal";
  const step = kind === "integer" ? 1 : (maximum - minimum) / 100;
  if ((maximum - minimum) / step > mostSteps) return { root, read };
  // What is typed counts; the slider writes it.
  const slider = make("input", { type: "range", min: minimum, max: maximum, step: kind === "integer" ? 1 : "any", value: standard, "aria-label": `${name}, as a slider` });
  slider.oninput = () => {
    input.value = kind === "integer" ? slider.value : `${Number(Number(slider.value).toPrecision(3))}`;
  };
  input.oninput = () => {
    if (Number.isFinite(Number(input.value))) slider.value = input.value;
  };
  input.after(slider);
  return { root, read };
}

function choiceOf({ name, help, choices, default: standard }) {
  const id = `field-${++fields}`;
  const select = make("select", { id }, ...choices.map((choice) => make("option", choice)));
  select.value = standard;
  return { root: make("div.field", make("label", { for: id }, name), select, make("span.note", help)), read: () => select.value };
}

function flagOf({ name, help, default: standard }) {
  const box = make("input", { type: "checkbox", role: "switch" });
  box.checked = standard;
  return { root: make("div.field", make("label.check", box, name), make("span.note", help)), read: () => (box.checked ? "yes" : "no") };
}

function severalOf(name, help, choices, standard) {
  const boxes = choices.map((choice) => {
    const box = make("input", { type: "checkbox", value: choice });
    box.checked = standard.includes(choice);
    return box;
  });
  const root = make("fieldset.field", make("legend", `${name}: ${help}`),
    make("div.line", ...boxes.map((box) => make("label.check", box, box.value))));
  return { root, read: () => boxes.filter((box) => box.checked).map((box) => box.value).join(",") || "none" };
}
