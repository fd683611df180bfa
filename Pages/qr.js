// QR codes of addresses: octets at level L, in versions 1 to 5, which are one block. ISO/IEC 18004 has the numbers.

import { draw } from "./dom.js";
import { utf8 } from "./octets.js";

// The data and check octets of each version.
const versions = [[19, 7], [34, 10], [55, 15], [80, 20], [108, 26]];

// Mode and length have a half and a whole octet before the text, which ends with at least half an octet.
const overhead = 2;

// The number of level L in the format.
const level = 1;

// Powers of 2 in the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1, and their logarithms.
const power = new Uint8Array(512);
const logarithm = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  power[exponent] = power[exponent + 255] = value;
  logarithm[value] = exponent;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}

const product = (one, other) => (one && other ? power[logarithm[one] + logarithm[other]] : 0);

// The check octets of Reed and Solomon.
function checks(data, count) {
  let generator = [1];
  for (let root = 0; root < count; root++) {
    const next = [...generator, 0];
    generator.forEach((factor, place) => (next[place + 1] ^= product(factor, power[root])));
    generator = next;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let place = 0; place < data.length; place++) {
    const factor = rest[place];
    if (factor) generator.forEach((one, offset) => (rest[place + offset] ^= product(one, factor)));
  }
  return rest.slice(data.length);
}

// The octets of the code: mode, length, text, padding, checks.
function codewords(octets, [data, check]) {
  // Four bits for the mode shift everything after them by half an octet.
  const stream = [0x40 | (octets.length >> 4), ((octets.length & 15) << 4) | (octets[0] >> 4)];
  octets.forEach((octet, place) => stream.push(((octet & 15) << 4) | ((octets[place + 1] ?? 0) >> 4)));
  for (let pad = 0xec; stream.length < data; pad ^= 0xec ^ 0x11) stream.push(pad);
  return [...stream, ...checks(stream, check)];
}

// A square with what is always the same: finders, timing, alignment. `null` is a place for data.
function empty(version) {
  const side = 17 + 4 * version;
  const grid = Array.from({ length: side }, () => new Array(side).fill(null));
  const square = (row, column, reach, isDark) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        if (grid[row + y]?.[column + x] === undefined) continue;
        grid[row + y][column + x] = isDark(Math.max(Math.abs(x), Math.abs(y)));
      }
    }
  };
  for (let place = 8; place < side - 8; place++) grid[6][place] = grid[place][6] = place % 2 === 0;
  for (const [row, column] of [[3, 3], [3, side - 4], [side - 4, 3]]) square(row, column, 4, (ring) => ring !== 2 && ring !== 4);
  if (version > 1) square(side - 7, side - 7, 2, (ring) => ring !== 1);
  // The places of the format are kept free of data.
  for (const [row, column] of formatPlaces(side).flat()) grid[row][column] = false;
  grid[side - 8][8] = true;
  return grid;
}

// Where the fifteen bits of the format stand, twice.
function formatPlaces(side) {
  const first = [];
  const second = [];
  for (let bit = 0; bit < 15; bit++) {
    const down = bit < 6 ? bit : bit < 8 ? bit + 1 : side - 15 + bit;
    const across = bit < 8 ? side - 1 - bit : bit === 8 ? 7 : 14 - bit;
    first.push([down, 8]);
    second.push([8, across]);
  }
  return [first, second];
}

// Fills in the data, in columns of two from the right, up and down, and the format. Mask 0 changes every second square.
function filled(version, words) {
  const grid = empty(version);
  const side = grid.length;
  let bit = 0;
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < side; step++) {
      const row = isUp ? side - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (grid[row][column] !== null) continue;
        const isDark = ((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        grid[row][column] = Boolean(isDark) !== ((row + column) % 2 === 0);
        bit++;
      }
    }
  }
  let rest = level << 13;
  for (let place = 14; place >= 10; place -= 1) if (rest & (1 << place)) rest ^= 0x537 << (place - 10);
  const bits = ((level << 13) | rest) ^ 0x5412;
  for (const places of formatPlaces(side)) places.forEach(([row, column], place) => (grid[row][column] = Boolean((bits >> place) & 1)));
  grid[side - 8][8] = true;
  return grid;
}

// The squares of the code, true for dark; null if the text is too long.
export function code(text) {
  const octets = utf8(text);
  const place = versions.findIndex(([data]) => octets.length + overhead <= data);
  if (place < 0) return null;
  return filled(place + 1, codewords(octets, versions[place]));
}

// A drawing, dark on light in every colour scheme, because not every camera reads the inverse.
export function drawing(text) {
  const grid = code(text);
  if (!grid) return null;
  const margin = 4;
  const side = grid.length + 2 * margin;
  const squares = grid.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])));
  return draw("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": `QR code of ${text}`, "shape-rendering": "crispEdges" },
    draw("rect", { width: side, height: side, fill: "#fff" }), draw("path", { d: squares.join(""), fill: "#000" }));
}
