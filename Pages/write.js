// The editor for a simulation in Python. The host's has what is wrong with the text by lines, its file, and the form that starts it. A
// guest's sends the text to the host, who decides about it.

import { find, list, make, say, sayOrHide, show } from "./dom.js";
import { announce } from "./status.js";

// A text is checked this long after the last key, and this long after the check before, in milliseconds: the gateway takes one
// request a second from a hand.
const pause = 600, interval = 1_200;
// The most bytes of a file that the host's program keeps.
const largest = 24 * 1024;
const step = "    ";
const kinds = [["dice", "New: a count"], ["series", "New: a curve"]];
// What a guest is told of a file that it sent.
const standings = {
  waits: (name) => `The host has ${name} and will look at it.`,
  opened: (name) => `The host opened ${name}.`,
  declined: (name) => `The host declined ${name}.`,
  refused: (name) => `The host cannot take ${name} now. Send it again later.`,
};

export class Writer {
  // Whether the form here started the latest job.
  hasStarted = false;
  #send;
  #makeForm;
  #isGuest = false;
  // The file that the text was opened from or kept in: {name, print, text}; null for a new one.
  #kept = null;
  // What was sent to be kept.
  #sent = null;
  #names = [];
  // The number of the latest check, whether its answer is missing, when it was sent, and the timer of the next one.
  #number = 0;
  #isAsking = false;
  #asked = 0;
  #timer = null;
  // Whether Escape was the last key, so that Tab leaves the text.
  #leaves = false;
  // What the form was made of.
  #formed = "";
  // The problems that a screen reader was told last.
  #said = "";

  // `send(message)` sends a message to the gateway, and `makeForm(key, simulation, send)` makes the form that starts one.
  constructor(send, makeForm) {
    this.#send = send;
    this.#makeForm = makeForm;
    this.name = make("input", { id: "script-name", maxlength: "43", value: "my-simulation.py", autocomplete: "off", spellcheck: "false" });
    this.files = make("select", { "aria-label": "Open a file" });
    this.files.onchange = () => {
      if (this.files.value && this.mayDrop()) send({ do: "open", name: this.files.value });
      this.files.value = "";
    };
    const fresh = kinds.map(([kind, words]) => {
      const button = make("button", { type: "button" }, words);
      button.onclick = () => this.mayDrop() && send({ do: "new", kind, name: this.name.value.trim() });
      return button;
    });
    this.gutter = make("pre", { "aria-hidden": "true" });
    this.area = make("textarea", { id: "script", rows: "16", wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-describedby": "script-keys" });
    this.area.onkeydown = (event) => this.#key(event);
    this.area.oninput = () => this.#changed();
    this.area.onscroll = () => (this.gutter.scrollTop = this.area.scrollTop);
    this.area.onblur = () => (this.#leaves = false);
    this.problems = make("ul.problems");
    this.told = make("p.answered");
    this.keep = make("button", { type: "button" }, "Save");
    this.keep.onclick = () => this.save();
    this.hint = make("p.note", "Save it to run it.");
    this.start = make("div");
    this.root = make("details.writing", make("summary", make("h3", "Write a simulation")),
      make("div.line", make("label", { for: "script-name" }, "File"), this.name, ...fresh, this.files),
      make("label", { for: "script" }, "Simulation in Python"), make("div.editor", this.gutter, this.area),
      make("p.note", { id: "script-keys" }, "Tab indents. Escape, and then Tab, leaves the text."),
      this.problems, make("div.line", this.keep, this.told), this.hint, this.start);
    this.root.ontoggle = () => this.root.open && !this.#isGuest && this.#names.length === 0 && send({ do: "scripts" });
    addEventListener("beforeunload", (event) => this.#isChanged && event.preventDefault());
    this.#show([]);
    this.#drawNames();
    this.#draw();
  }

  // Takes a message. Returns false if it is about something else.
  take(message) {
    switch (message.is) {
      case "welcome":
        this.#isAsking = false;
        this.#admit(message.isHost === true);
        show(find("write"), message.mayWrite === true);
        // A gateway that was started again does not know yet what it can start.
        if (message.isHost && this.#kept && !this.#isChanged) this.save();
        return false;
      case "scripts":
        this.#names = message.names;
        this.#drawNames();
        return true;
      case "script": {
        const { name, text, print } = message;
        this.root.open = true;
        this.name.value = name;
        this.area.value = text;
        this.#kept = print === null ? null : { name, print, text };
        this.#show([]);
        this.#tell("");
        this.#changed();
        // This makes its form, too.
        if (print !== null) this.save();
        this.area.focus();
        this.area.setSelectionRange(0, 0);
        this.area.scrollTop = this.area.scrollLeft = 0;
        return true;
      }
      case "checked":
        if (message.number !== this.#number) return true;
        this.#isAsking = false;
        this.#show(message.problems);
        return true;
      case "saved":
        this.#saved(message);
        return true;
      case "writing":
        show(find("write"), message.isOpen);
        return true;
      case "proposed":
        if (message.state === "waits") this.#kept = { name: message.name, print: null, text: this.#sent };
        this.#draw();
        this.#tell(standings[message.state](message.name), message.state === "refused");
        return true;
      case "unwritten":
        this.#tell(message.text, true);
        return true;
      default:
        return false;
    }
  }

  save() {
    const [text, name] = [this.area.value, this.name.value.trim()];
    if (this.#isTooLong(text)) return;
    this.#sent = text;
    if (this.#isGuest) return this.#send({ do: "propose", text, name });
    this.#send({ do: "save", text, name, print: this.#kept?.name === name ? this.#kept.print : null });
  }

  get #isChanged() {
    return this.area.value !== (this.#kept?.text ?? "");
  }

  // The page of a host or of a guest: the same editor at another place.
  #admit(isHost) {
    this.#isGuest = !isHost;
    const place = find(isHost ? "host" : "write");
    // One that is here keeps the caret.
    if (this.root.parentElement !== place) place.append(this.root);
    say(this.keep, isHost ? "Save" : "Send to the host");
    say(this.hint, isHost ? "Save it to run it." : "The host reads what you send, and decides whether it runs for the room.");
  }

  // Whether a text may take the place of the one here.
  mayDrop() {
    return !this.#isChanged || confirm("Drop the changes that are not saved?");
  }

  #saved({ name, print, problems, simulation }) {
    this.#kept = { name, print, text: this.#sent };
    if (!this.#names.includes(name)) this.#names = [...this.#names, name].sort();
    this.#drawNames();
    this.#show(problems);
    this.#tell(`Saved ${name}.`);
    // What was set in the form stays, unless there is something else to set.
    const formed = JSON.stringify([name, simulation]);
    if (formed !== this.#formed) {
      this.start.replaceChildren(...(simulation ? [this.#makeForm(name, simulation, (message) => {
        this.hasStarted = true;
        this.#send(message);
      })] : []));
      this.#formed = formed;
    }
    this.#draw();
  }

  #tell(text, isBad = false) {
    sayOrHide(this.told, text);
    this.told.classList.toggle("bad", isBad);
    if (text) announce(text);
  }

  #drawNames() {
    show(this.files, this.#names.length > 0);
    list(this.files, ["", ...this.#names], (name) => name, () => make("option"), (option, name) => {
      option.value = name;
      say(option, name || "Open");
    });
  }

  #isTooLong(text) {
    const size = new TextEncoder().encode(text).length;
    if (size > largest) this.#tell(`The text has ${size} bytes, and the page keeps at most ${largest}.`, true);
    return size > largest;
  }

  // Says what is wrong: a list of [line, text]; the line is null for what is about none.
  #show(problems) {
    const said = problems.map(([line, text]) => (line === null ? text : `Line ${line}: ${text}`)).join(" ");
    if (said && said !== this.#said) announce(said);
    this.#said = said;
    this.marked = new Set(problems.map(([line]) => line));
    list(this.problems, problems, ([line, text]) => `${line} ${text}`, () => make("li.bad", make("button.link", { type: "button" }), make("span")), (item, [line, text]) => {
      const [button, span] = item.children;
      show(button, line !== null);
      say(button, `Line ${line}`);
      say(span, line === null ? text : `: ${text}`);
      button.onclick = () => this.#goTo(line);
    });
    this.area.setAttribute("aria-invalid", problems.length > 0);
    this.#draw();
  }

  #goTo(line) {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    this.area.scrollTop = (line - 4) * (this.area.scrollHeight / lines.length);
  }

  #draw() {
    const lines = this.area.value.split("\n").map((_, place) => place + 1);
    list(this.gutter, lines, (line) => line, () => make("span"), (span, line) => {
      say(span, `${line}`);
      span.classList.toggle("bad", this.marked.has(line));
    });
    this.gutter.scrollTop = this.area.scrollTop;
    const isReady = this.#kept !== null && !this.#isChanged && this.#kept.name === this.name.value.trim();
    show(this.hint, !isReady && this.area.value !== "");
    show(this.start, isReady);
  }

  // Checks the text when the hand rests.
  #changed() {
    this.#draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), Math.max(pause, this.#asked + interval - Date.now()));
  }

  #check() {
    const text = this.area.value;
    if (this.#isGuest || text === "" || this.#isTooLong(text)) return;
    // One at a time. The newest text is sent when the answer has come.
    if (this.#isAsking && Date.now() - this.#asked < 10 * interval) return this.#changed();
    this.#isAsking = true;
    this.#asked = Date.now();
    this.#send({ do: "check", text, number: ++this.#number });
  }

  #key(event) {
    if (event.key === "Escape") {
      this.#leaves = true;
      // It has no other meaning here.
      event.stopPropagation();
      return;
    }
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === "Tab" && isPlain && !this.#leaves) {
      event.preventDefault();
      this.#indent(event.shiftKey);
    } else if (event.key === "Enter" && isPlain && !event.isComposing) {
      event.preventDefault();
      const line = this.area.value.slice(0, this.area.selectionStart).split("\n").at(-1);
      this.#type(`\n${line.match(/^ */)[0]}${/:\s*$/.test(line) ? step : ""}`);
    }
    if (event.key !== "Shift") this.#leaves = false;
  }

  // Types a text in place of the selection, so that it can be undone.
  #type(text) {
    if (document.execCommand("insertText", false, text)) return;
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.#changed();
  }

  // Moves the selected lines by a step to the right, or to the left.
  #indent(isBack) {
    const { value, selectionStart: from, selectionEnd: to } = this.area;
    if (from === to && !isBack) return this.#type(step);
    const start = value.lastIndexOf("\n", from - 1) + 1;
    const end = value.indexOf("\n", Math.max(from, to - 1));
    this.area.setSelectionRange(start, end < 0 ? value.length : end);
    const old = value.slice(start, end < 0 ? value.length : end);
    const moved = old.split("\n").map((line) => (isBack ? line.replace(/^ {1,4}/, "") : step + line)).join("\n");
    if (moved !== old) this.#type(moved);
    if (from === to) {
      const place = Math.max(start, from + moved.length - old.length);
      this.area.setSelectionRange(place, place);
    } else this.area.setSelectionRange(start, start + moved.length);
  }
}
