// Modules and tables, which arrive in parts and are known by their SHA-256.

import { fromBase64, hex } from "./octets.js";
import { Sha256 } from "./sha256.js";

// As many finished blobs are kept for the next job.
const mostKept = 8;

export class Blobs {
  #send;
  // Blobs under way, by their hash: {octets, filled, hash, promise, resolve, reject}.
  #coming = new Map();
  #kept = new Map();

  constructor(send) {
    this.#send = send;
  }

  // Returns the octets of a blob. The promise fails with a line for people.
  get({ hash, size }) {
    if (this.#kept.has(hash)) return Promise.resolve(this.#kept.get(hash));
    const known = this.#coming.get(hash);
    if (known) return known.promise;
    const blob = { octets: new Uint8Array(size), filled: 0, hash: new Sha256() };
    blob.promise = new Promise((resolve, reject) => Object.assign(blob, { resolve, reject }));
    this.#coming.set(hash, blob);
    this.#send({ do: "fetch", hash, from: 0 });
    return blob.promise;
  }

  take(message) {
    const blob = this.#coming.get(message.hash);
    if (!blob) return;
    if (message.is === "lacking") return this.#fail(message.hash, message.why);
    if (message.from !== blob.filled) return;
    const part = fromBase64(message.octets);
    if (part.length === 0 || part.length > blob.octets.length - blob.filled) return this.#fail(message.hash, "the server sent a wrong part");
    blob.octets.set(part, blob.filled);
    blob.filled += part.length;
    blob.hash.add(part);
    if (blob.filled < blob.octets.length) this.#send({ do: "fetch", hash: message.hash, from: blob.filled });
    else this.#finish(message.hash, blob);
  }

  // Forgets what is under way: its answers do not come any more.
  stop() {
    for (const hash of [...this.#coming.keys()]) this.#fail(hash, "the connection was lost");
  }

  #finish(hash, blob) {
    if (hex(blob.hash.result()) !== hash) return this.#fail(hash, "the server sent something other than it announced");
    this.#coming.delete(hash);
    this.#kept.set(hash, blob.octets);
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value);
    blob.resolve(blob.octets);
  }

  #fail(hash, why) {
    const blob = this.#coming.get(hash);
    this.#coming.delete(hash);
    blob.reject(new Error(why));
  }
}
