// What a trial noted and drew, as its module's log tells it (docs/PLUGINS.md), and its picture. The log may be nonsense: shapes
// that make no sense are left out, as by TrialLog in the program.

import { draw } from "./dom.js";

// The larger side of a picture, and the furthest place outside that a shape may name.
const side = 1_000;
const furthest = 10_000;
// What a reader looks at, and a browser still draws: the newest.
const mostNotes = 40;
const mostShapes = 10_000;
const longestText = 60;
// An animation takes about this long, and shows each of its pictures for so long, in milliseconds.
const length = 3_000;
const [shortest, longest] = [60, 700];

const inks = ["plain", "faint", "good", "bad", "marked"];
const counts = { l: 5, b: 5, B: 5, c: 4, C: 4, t: 3 };

// Returns {notes, frames} of the lines of a trial. A frame is {width, height, isFirst, shapes}.
export function trialLog(text) {
  const notes = [];
  const frames = [];
  for (const line of text.split("\n")) {
    const said = line.replace(/^\d+ \d+ /, "");
    if (said.startsWith("\t")) frames.push(...frame(said.slice(1).split("\t"), frames.at(-1)));
    else if (said) notes.push(said.replace(/\p{C}/gu, "?"));
  }
  let left = mostShapes;
  const from = 1 + frames.slice(-mostShapes).findLastIndex(({ shapes }) => (left -= shapes.length) < 0);
  return { notes: notes.slice(-mostNotes), frames: frames.slice(-mostShapes).slice(from) };
}

function frame([head, ...fields], before = { width: side, height: side }) {
  const shapes = fields.map((field) => field.split(" ")).filter(isShape);
  if (head === "+") return [{ ...before, isFirst: false, shapes }];
  const [width, height] = /^\d+ \d+$/.test(head) ? head.split(" ").map(Number) : [];
  return Math.min(width, height) > 0 && Math.max(width, height) === side ? [{ width, height, isFirst: true, shapes }] : [];
}

function isShape([letter, ...words]) {
  const count = Object.hasOwn(counts, letter) ? counts[letter] : 0;
  const numbers = words.slice(0, count);
  return count > 0 && numbers.length === count && (letter === "t" ? words.length > count : words.length === count)
    && numbers.every((word) => /^-?\d{1,5}$/.test(word) && Math.abs(word) <= furthest) && numbers.at(-1) in inks
    && !(count === 4 && numbers[2] < 0);
}

function element([letter, ...words], height) {
  const [x, up, a, b] = words.map(Number);
  const y = height - up;
  const ink = inks[words[counts[letter] - 1]];
  const look = { class: /[BCt]/.test(letter) ? `${ink} full` : ink };
  switch (letter.toLowerCase()) {
    case "l": return draw("line", { x1: x, y1: y, x2: a, y2: height - b, ...look });
    case "b": return draw("rect", { x: Math.min(x, a), y: Math.min(y, height - b), width: Math.abs(a - x), height: Math.abs(b - up), ...look });
    case "c": return draw("circle", { cx: x, cy: y, r: a, ...look });
    default: return draw("text", { x, y, ...look }, words.slice(3).join(" ").slice(0, longestText));
  }
}

// Plays the frames of a trial in `box`, or shows at once how the picture ends. `words` says what is seen. Returns a function
// that ends it.
export function playFrames(box, frames, words, isMoving) {
  const pause = Math.max(shortest, Math.min(longest, length / frames.length));
  const steps = isMoving && !matchMedia("(prefers-reduced-motion: reduce)").matches ? Math.min(frames.length, Math.floor(length / pause)) : 1;
  let svg = null;
  let [step, at, timer] = [0, 0, 0];
  const next = () => {
    step++;
    for (const end = Math.floor((step * frames.length) / steps); at < end; at++) {
      const { width, height, isFirst, shapes } = frames[at];
      if (!svg || isFirst) {
        svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
        box.replaceChildren(svg);
      }
      svg.append(...shapes.map((shape) => element(shape, height)));
    }
    if (step < steps) timer = setTimeout(next, pause);
  };
  box.replaceChildren();
  if (frames.length > 0) next();
  return () => clearTimeout(timer);
}
