// Files that a reader keeps of a run: its data as a table, and its charts as pictures.

import { isReal } from "./charts.js";
import { draw } from "./dom.js";

// The charts are saved at this many pixels for each pixel of the screen, so that they are sharp on paper.
const sharpness = 3;

// What the drawings take from the style sheet.
const styles = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "vector-effect", "font-size", "font-family"];

const cell = (value) => {
  const text = isReal(value) || typeof value === "string" ? `${value}` : "";
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

// The readings at each checkpoint and at the end, the bins and cells of histograms and the times of series, one value in a row.
export function dataOf(job, course) {
  const rows = [["trials", "reading", "value", "low", "high", "exact", "count"]];
  if (job.readings.some(({ cells }) => cells)) rows[0].push("y low", "y high");
  const add = (trials, { name, exact }, [value, low, high]) => {
    if (isReal(value)) rows.push([`${trials}`, name, value, low, high, exact]);
  };
  for (const point of course) {
    job.readings.forEach((reading, place) => add(point.trials, reading, point.values?.[place] ?? []));
  }
  for (const reading of job.readings) {
    add(job.trials, reading, [reading.value, reading.low, reading.high]);
    const width = reading.bins ? (reading.bins.high - reading.bins.low) / reading.bins.counts.length : 0;
    reading.bins?.counts.forEach((count, place) => {
      const low = reading.bins.low + place * width;
      rows.push([`${job.trials}`, reading.name, null, low, low + width, null, `${count}`]);
    });
    reading.cells?.rows.forEach((row, up, { length }) => row.forEach((count, place) => {
      const ends = ([low, high], at, of) => [at, at + 1].map((one) => low + ((high - low) * one) / of);
      const { x, y } = reading.cells;
      rows.push([`${job.trials}`, reading.name, null, ...ends(x, place, row.length), null, `${count}`, ...ends(y, up, length)]);
    }));
    for (const [time, ...values] of reading.curve ?? []) add(job.trials, { name: `${reading.name} at ${time}` }, values);
  }
  const text = rows.map((row) => row.map(cell).join(",")).join("\n");
  return { name: `${job.simulation}.csv`, blob: new Blob([`${text}\n`], { type: "text/csv" }) };
}

// Each chart of a job that is drawn under `root`, also that of its guesses, as an SVG and as a PNG.
export async function chartsOf(job, root) {
  const files = [];
  const cards = root.querySelectorAll(".reading .chart");
  const drawings = job.readings.map(({ name }, place) => [name, cards[place]?.querySelector("svg")]);
  drawings.push(["guesses", root.querySelector(".guesses .chart svg")]);
  for (const [about, drawing] of drawings) {
    if (!drawing) continue;
    const name = `${job.simulation}-${about.replace(/[^\w-]+/g, "-")}`;
    const text = standalone(drawing);
    const blob = new Blob([text], { type: "image/svg+xml" });
    files.push({ name: `${name}.svg`, blob }, { name: `${name}.png`, blob: await painted(text, drawing) });
  }
  return files;
}

// A copy that looks the same without the page.
function standalone(drawing) {
  const copy = drawing.cloneNode(true);
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const originals = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, place) => {
    const look = getComputedStyle(originals[place]);
    for (const style of styles) element.setAttribute(style, look.getPropertyValue(style));
  });
  const ground = getComputedStyle(document.body).getPropertyValue("--card").trim();
  copy.prepend(draw("rect", { width: "100%", height: "100%", fill: ground }));
  return new XMLSerializer().serializeToString(copy);
}

async function painted(text, drawing) {
  const { width, height } = drawing.getBoundingClientRect();
  const image = new Image();
  // The page's policy allows pictures of its own text only.
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * sharpness, height * sharpness];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export function save({ name, blob }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken the file's octets by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
