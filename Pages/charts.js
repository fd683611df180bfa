// The drawings: how a reading settles, histograms, and the map of a search's best solution.

import { draw } from "./dom.js";
import { Frame, powers, ticks } from "./axis.js";
import { grouped } from "./words.js";

export const isReal = (value) => typeof value === "number" && Number.isFinite(value);

// The range of some values with a little room; null if there are none.
function around(values) {
  const real = values.filter(isReal);
  if (real.length === 0) return null;
  const low = Math.min(...real);
  const high = Math.max(...real);
  // What differs by rounding alone is one value.
  const spread = high - low > Math.max(Math.abs(low), Math.abs(high)) * 1e-12 ? high - low : 0;
  const room = spread * 0.08 || Math.abs(high) * 0.1 || 1;
  return { low: low - room, high: high + room };
}

// The points of one reading: {x, value, low, high}. A search is drawn over time, everything else over its trials.
export function pointsOf(job, course, place) {
  const points = course.map((point) => {
    const [value, low, high] = point.values?.[place] ?? [];
    return { x: job.isSearch ? point.elapsed : Number(point.trials), value, low, high };
  });
  const now = job.readings?.[place];
  if (now && isReal(now.value)) {
    points.push({ x: job.isSearch ? job.elapsed : Number(job.trials), value: now.value, low: now.low, high: now.high });
  }
  return points.filter((point) => isReal(point.value) && point.x > 0).sort((one, other) => one.x - other.x);
}

// The vertical range leaves out the first third of the points, whose wide intervals would hide how the others narrow.
function settledArea(points, exact, isSearch) {
  const first = points[0].x;
  const last = points.at(-1).x;
  const start = isSearch ? 0 : first * (last / first) ** 0.35;
  const seen = points.filter((point) => point.x >= start);
  const range = around([exact, ...seen.flatMap((point) => [point.value, point.low, point.high])]);
  return range && { ...range, first: isSearch ? 0 : first, last, isLogarithmic: !isSearch };
}

const path = (frame, corners) =>
  corners.map(([x, y]) => `${frame.x(x).toFixed(1)},${frame.y(y).toFixed(1)}`).join(" ");

// The band of the intervals of some points.
function band(frame, points) {
  const sure = points.filter((point) => isReal(point.low) && isReal(point.high));
  if (sure.length < 2) return [];
  const edge = [...sure.map((p) => [p.x, p.high]), ...sure.slice().reverse().map((p) => [p.x, p.low])];
  return [draw("polygon", { class: "band", points: path(frame, edge) })];
}

// Draws the means of a series, whose times are [time, mean, low, high].
export function curve(box, times, name) {
  const points = times.map(([x, value, low, high]) => ({ x, value, low, high }));
  const range = around(points.flatMap((point) => [point.value, point.low, point.high]));
  if (points.length < 2 || !range) return null;
  const [first, last] = [points[0].x, points.at(-1).x];
  const frame = new Frame(box, { ...range, first, last, isLogarithmic: false }, `Curve of ${name}`);
  const parts = band(frame, points);
  parts.push(draw("polyline", { class: "value", points: path(frame, points.map((p) => [p.x, p.value])) }));
  return frame.finish(ticks(first, last, frame.columns / 2), "time", parts);
}

// Draws how a reading settles. Returns null while there are fewer than two points.
export function course(box, points, reading, isSearch, unit = "trial") {
  if (points.length < 2) return null;
  const area = settledArea(points, reading.exact, isSearch);
  if (!area) return null;
  const frame = new Frame(box, area, `How ${reading.name} settles`);
  const parts = band(frame, points);
  if (isReal(reading.exact)) {
    const y = frame.y(reading.exact);
    parts.push(frame.line("exact", frame.left, y, frame.right, y));
  }
  // A search's best stays until it is replaced.
  const corners = points.flatMap((point, place) =>
    isSearch && place > 0 ? [[point.x, points[place - 1].value], [point.x, point.value]] : [[point.x, point.value]]);
  parts.push(draw("polyline", { class: "value", points: path(frame, corners) }));
  const end = points.at(-1);
  parts.push(draw("circle", { class: "dot", cx: frame.x(end.x), cy: frame.y(end.value), r: 4 }));
  const decades = isSearch ? [] : powers(area.first, area.last, frame.columns);
  const columns = decades.length > 1 ? decades : ticks(area.first, area.last, frame.columns / 2);
  return frame.finish(columns, isSearch ? "seconds" : `${unit}s`, parts);
}

// Draws a histogram's bins, and the true value if it is known.
export function histogram(box, bins, name, truth = null) {
  const counts = bins.counts.map(Number);
  const most = Math.max(...counts, 1);
  const frame = new Frame(box, { low: 0, high: most * 1.05, first: bins.low, last: bins.high }, `Histogram of ${name}`);
  frame.rows = frame.rows.filter(({ value }) => Number.isInteger(value)).map((row) => ({ ...row, text: row.text.replace(/\.0$/, "") }));
  const width = (bins.high - bins.low) / counts.length;
  const bars = counts.flatMap((number, place) => {
    const x = frame.x(bins.low + place * width);
    const y = frame.y(number);
    const end = frame.x(bins.low + (place + 1) * width) - 1;
    return number > 0 ? [draw("rect", { class: "bin", x, y, width: Math.max(1, end - x), height: frame.bottom - y })] : [];
  });
  if (isReal(truth)) bars.push(frame.line("exact", frame.x(truth), frame.top, frame.x(truth), frame.bottom));
  return frame.finish(ticks(bins.low, bins.high, frame.columns), name, bars);
}

// Draws the cells of a histogram in two dimensions, which are the darker the more they hold.
export function cellMap(box, { x, y, rows, outside }, name) {
  const frame = new Frame(box, { low: y[0], high: y[1], first: x[0], last: x[1] }, `Map of ${name}`);
  const most = rows.flat().reduce((most, count) => Math.max(most, Number(count)), 1);
  const edge = ([low, high], place, of) => low + ((high - low) * place) / of;
  const parts = rows.flatMap((row, up) => row.flatMap((count, place) => {
    if (!Number(count)) return [];
    const left = frame.x(edge(x, place, row.length));
    const top = frame.y(edge(y, up + 1, rows.length));
    const width = frame.x(edge(x, place + 1, row.length)) - left;
    const height = frame.y(edge(y, up, rows.length)) - top;
    // Whole pixels, because cells that touch would otherwise have seams.
    const look = { class: "bin", "fill-opacity": 0.1 + (0.9 * count) / most, "shape-rendering": "crispEdges" };
    return [draw("rect", { ...look, x: left, y: top, width, height })];
  }));
  const label = `darkest: ${grouped(most)}${Number(outside) ? `; ${grouped(Number(outside))} outside` : ""}`;
  return frame.finish(ticks(...x, frame.columns), label, parts);
}

// Draws points joined in order, with one scale for both directions and the largest y at the top.
export function map(points, name) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = 640;
  const margin = 14;
  const scale = (side - 2 * margin) / Math.max(right - left, high - low);
  if (!Number.isFinite(scale) || scale <= 0) return null;
  const place = ([x, y]) => [margin + (x - left) * scale, margin + (high - y) * scale];
  const places = points.map(place);
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length > 1 && first[0] === last[0] && first[1] === last[1];
  const size = [(right - left) * scale + 2 * margin, (high - low) * scale + 2 * margin];
  const root = draw("svg", { viewBox: `0 0 ${size.join(" ")}`, role: "img", "aria-label": `Map of the best ${name} so far` });
  root.append(draw("polyline", { class: "value", points: places.map((pair) => pair.map((n) => n.toFixed(1)).join(",")).join(" ") }));
  (isClosed ? places.slice(0, -1) : places).forEach(([cx, cy], index) =>
    root.append(draw("circle", { class: "dot", cx, cy, r: index === 0 ? 7 : 4 })));
  return root;
}
