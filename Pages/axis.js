// Scales, ticks and labels, for all charts.

import { draw } from "./dom.js";
import { grouped } from "./words.js";

// Whole multiples of 1, 2 or 5 times a power of ten, about `most` of them.
export function ticks(low, high, most) {
  const raw = (high - low) / Math.max(1, most);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw * 0.999);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const found = [];
  const first = Math.ceil(low / step - 1e-9);
  // Beside huge numbers a step vanishes, and counting would never end.
  if (!(Math.abs(first) < 1e15)) return [];
  for (let number = first; number * step <= high + step * 1e-9; number++) {
    const value = number * step;
    const isPlain = Math.abs(value) < 1e9 && decimals <= 6;
    const plain = () => (decimals > 0 ? value.toFixed(decimals) : grouped(value)).replace("-", "−");
    found.push({ value, text: isPlain ? plain() : value.toExponential(2).replace("e+", "e") });
  }
  return found;
}

const raised = (number) => Array.from(String(number), (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

// The powers of ten, at most about `most` of them.
export function powers(low, high, most) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const found = [];
  for (let power = first; power <= last; power += step) {
    found.push({ value: 10 ** power, text: power < 4 ? String(10 ** power) : `10${raised(power)}` });
  }
  return found;
}

// The frame of a chart in real pixels, so that its text has the size of the page's. `x` and `y` map values to places.
export class Frame {
  // `area` is {low, high, first, last, isLogarithmic}.
  constructor(box, area, title) {
    const style = getComputedStyle(box);
    this.letter = parseFloat(style.fontSize);
    this.width = Math.max(200, box.clientWidth);
    // On the projector a chart fills what its card leaves.
    const isFilling = style.getPropertyValue("--fills") !== "";
    const usual = () => Math.round(Math.max(150, Math.min(this.width * 0.58, parseFloat(style.maxHeight) || 400)));
    this.height = isFilling ? Math.max(this.letter * 7, box.clientHeight) : usual();
    this.area = area;
    this.rows = ticks(area.low, area.high, Math.max(2, Math.floor(this.height / (this.letter * 2.6))));
    const longest = Math.max(2, ...this.rows.map((row) => row.text.length));
    this.left = this.letter * (0.62 * longest + 0.8);
    this.right = this.width - this.letter * 1.2;
    this.top = this.letter * 0.8;
    this.bottom = this.height - this.letter * 3;
    this.root = draw("svg", { viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": title });
    const width = Math.max(1, this.right - this.left);
    const height = Math.max(1, this.bottom - this.top);
    const viewBox = `${this.left} ${this.top} ${width} ${height}`;
    this.inside = draw("svg", { x: this.left, y: this.top, width, height, viewBox });
  }

  x(value) {
    const { first, last, isLogarithmic } = this.area;
    const scale = isLogarithmic ? Math.log : (one) => one;
    const part = last > first ? (scale(value) - scale(first)) / (scale(last) - scale(first)) : 0.5;
    // The last point's dot has room before the edge.
    return this.left + part * (this.right - this.left - 5);
  }

  y(value) {
    const { low, high } = this.area;
    const place = this.bottom - ((value - low) / (high - low)) * (this.bottom - this.top);
    // An infinite interval ends beyond the edge, where it is cut off.
    return Math.max(this.top - this.height, Math.min(this.bottom + this.height, place));
  }

  line(kind, x1, y1, x2, y2) {
    return draw("line", { class: kind, x1, y1, x2, y2 });
  }

  text(text, x, y, anchor) {
    return draw("text", { x, y, "text-anchor": anchor }, text);
  }

  // Draws the grid with its labels, then `parts`, which are cut at the edge.
  finish(columns, label, parts) {
    for (const row of this.rows) {
      const y = this.y(row.value);
      this.root.append(this.line("grid", this.left, y, this.right, y));
      this.root.append(this.text(row.text, this.left - this.letter * 0.5, y + this.letter * 0.35, "end"));
    }
    for (const column of columns) {
      const x = this.x(column.value);
      this.root.append(this.line("grid", x, this.top, x, this.bottom));
      this.root.append(this.text(column.text, x, this.bottom + this.letter * 1.25, "middle"));
    }
    this.root.append(this.text(label, (this.left + this.right) / 2, this.height - this.letter * 0.35, "middle"));
    this.inside.append(...parts);
    this.root.append(this.inside);
    return this.root;
  }

  get columns() {
    return Math.max(2, Math.floor((this.right - this.left) / (this.letter * 5)));
  }
}
