// The projector: what does not fit beside each other is shown in turn, and keys that need no look at a keyboard.

import { find, list, make, say, show } from "./dom.js";

// Long enough to read two readings and their charts from the last row, in milliseconds.
const turn = 12_000;
// The readings beside each other.
const mostBeside = 2;

// The keys of the projector, as its help names them. A page without projector leaves these keys to its reader.
const keys = [
  ["→", "next readings"], ["←", "readings before"], ["Space", "stop or continue turning"], ["n", "next job"],
  ["q", "the code alone, to join"], ["m", "close the message"], ["?", "these keys"], ["Esc", "end the projector"],
];

const look = document.documentElement.classList;
export const isProjector = () => look.contains("projector");

let slide = 0;
let isHeld = false;
let timer = null;

// The cards that are shown in turn: what the room guessed, and the readings, two at a time. While the job runs the readings are
// first, so that nobody misses how it begins.
function slidesOf(view) {
  const { guess, readings, solution } = view;
  const cards = readings.hidden ? [] : [...readings.children];
  const guesses = guess.root.hidden ? [] : [[guess.root]];
  const slides = [];
  // A map takes the room of charts, so all figures are beside it.
  if (!solution.hidden) slides.push([solution, ...cards]);
  else for (let at = 0; at < cards.length; at += mostBeside) slides.push(cards.slice(at, at + mostBeside));
  return view.isRunning ? [...slides, ...guesses] : [...guesses, ...slides];
}

// Shows the slide whose turn it is, and returns whether another one is shown than before. Without a projector all are shown.
export function arrange(view) {
  const slides = slidesOf(view);
  slide = slides.length ? (slide + slides.length) % slides.length : 0;
  const shown = isProjector() ? new Set(slides[slide] ?? []) : null;
  let hasChanged = false;
  for (const card of slides.flat()) {
    const isOff = shown !== null && !shown.has(card);
    if (card.classList.contains("off") !== isOff) hasChanged = true;
    card.classList.toggle("off", isOff);
  }
  list(find("slides"), slides, (_, place) => place, () => make("li"), (dot, _, place) => {
    dot.className = place === slide ? "now" : "";
  });
  show(find("turning"), isProjector() && slides.length > 1);
  say(find("turning-text"), `${slide + 1} of ${slides.length}${isHeld ? ", held" : ""}`);
  return hasChanged;
}

// `redraw()` draws everything, `nextJob()` shows another job, `closeMessage()` closes the message.
export function startProjector({ redraw, nextJob, closeMessage }) {
  list(find("keys-list"), keys, ([key]) => key, () => make("div", make("dt"), make("dd")), (row, [key, words]) => {
    say(row.firstChild, key);
    say(row.lastChild, words);
  });
  const turnBy = (step) => {
    slide += step;
    redraw();
  };
  const begin = () => {
    clearInterval(timer);
    timer = setInterval(() => {
      if (isProjector() && !isHeld) turnBy(1);
    }, turn);
  };
  begin();
  const acts = {
    ArrowRight: () => turnBy(1),
    ArrowLeft: () => turnBy(-1),
    " ": () => {
      isHeld = !isHeld;
      redraw();
    },
    n: nextJob,
    q: () => look.toggle("joining"),
    m: closeMessage,
    "?": () => {
      const help = find("keys");
      help.open ? help.close() : help.showModal();
    },
  };
  addEventListener("keydown", (event) => {
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isTyping = event.target.matches?.("input, select, textarea, button, summary");
    if (!isProjector() || !act || isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
    // What was turned to by hand stays as long as what comes by itself.
    begin();
  });
}

// Shows what the last row can read. The browser may refuse the full screen.
export function project(isOn) {
  look.toggle("projector", isOn);
  look.remove("joining");
  [slide, isHeld] = [0, false];
  say(find("project"), isOn ? "End projector" : "Projector");
  if (isOn) document.activeElement?.blur();
  if (isOn && navigator.userActivation?.isActive) document.documentElement.requestFullscreen?.().catch(() => {});
  if (!isOn && document.fullscreenElement) document.exitFullscreen();
}
