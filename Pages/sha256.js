// SHA-256 and HMAC. A page at an http:// address of the local network has no crypto.subtle.

import { joined } from "./octets.js";

const primes = [];
for (let number = 2; primes.length < 64; number++) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number);
}
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const words = new Int32Array(64);

const turned = (word, by) => (word >>> by) | (word << (32 - by));

// A hash that takes its octets in parts.
export class Sha256 {
  #state = start.slice();
  #rest = new Uint8Array(64);
  #view = new DataView(this.#rest.buffer);
  #filled = 0;
  #length = 0;

  add(octets) {
    this.#length += octets.length;
    let at = 0;
    while (at < octets.length) {
      const part = octets.subarray(at, at + 64 - this.#filled);
      this.#rest.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === 64) this.#mix();
    }
    return this;
  }

  // The 32 octets. Nothing can be added afterwards.
  result() {
    const bits = this.#length * 8;
    // A one, zeros, and the number of bits in the last eight octets of a block.
    const end = new DataView(new ArrayBuffer(this.#filled < 56 ? 64 - this.#filled : 128 - this.#filled));
    end.setUint8(0, 0x80);
    end.setUint32(end.byteLength - 8, Math.floor(bits / 2 ** 32));
    end.setUint32(end.byteLength - 4, bits);
    this.add(new Uint8Array(end.buffer));
    const result = new DataView(new ArrayBuffer(32));
    this.#state.forEach((word, place) => result.setInt32(4 * place, word));
    return new Uint8Array(result.buffer);
  }

  #mix() {
    this.#filled = 0;
    const state = this.#state;
    for (let t = 0; t < 16; t++) words[t] = this.#view.getInt32(4 * t);
    for (let t = 16; t < 64; t++) {
      const early = words[t - 15];
      const late = words[t - 2];
      const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[t] = (high + words[t - 7] + low + words[t - 16]) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const choice = (e & f) ^ (~e & g);
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + constants[t] + words[t]) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => {
      state[place] = (state[place] + word) | 0;
    });
  }
}

export const sha256 = (octets) => new Sha256().add(octets).result();

// HMAC-SHA-256 of the parts, joined. The key has at most 64 octets.
export function hmac(key, ...parts) {
  const pad = (value) => Uint8Array.from({ length: 64 }, (_, place) => (key[place] ?? 0) ^ value);
  const inner = new Sha256().add(pad(0x36));
  inner.add(joined(...parts));
  return new Sha256().add(pad(0x5c)).add(inner.result()).result();
}
