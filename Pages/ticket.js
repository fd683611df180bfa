// Who this page is: the ticket from the address, a number of its own, and a name. The browser forgets them with the tab.

import { fromBase64url, fromHex, hex, random } from "./octets.js";
import { hmac } from "./sha256.js";

const pattern = /^#([A-Za-z0-9_-]{20})$/;

// The ticket in an address, as text. It stays in the address, so that people can show the address to others.
export function ticketInAddress() {
  const found = pattern.exec(location.hash);
  if (found) keep("ticket", found[1]);
  return found ? found[1] : location.hash.length > 1 ? null : kept("ticket");
}

// The address for other people. Its path and query are those of the plain page.
export const addressFor = (ticket) => `${location.origin}/#${ticket}`;

// A number that this tab draws once. Another tab with the same number replaces this one.
export function client() {
  return kept("client") ?? renewClient();
}

export function renewClient() {
  const drawn = hex(random(16));
  keep("client", drawn);
  return drawn;
}

// The number of this page in lists of guesses. Others cannot find the tab's own number from it.
export const guessID = () => hex(hmac(fromHex(client()), "potluck/1 guess").subarray(0, 8));

// The two keys of a connection, one for each direction.
export function keys(ticket, mine, theirs) {
  const octets = fromBase64url(ticket);
  const both = hmac(octets, "potluck/1 page", mine, theirs);
  return { toGateway: hmac(both, "to gateway"), toPage: hmac(both, "to page") };
}

export const ticketID = (ticket) => hex(hmac(fromBase64url(ticket), "potluck/1 ticket").subarray(0, 8));

// The MAC of message number `count` of one direction. Every machine that has a browser stores the least octet first.
export function mac(key, count, text) {
  const number = new Uint8Array(BigUint64Array.of(BigInt(count)).buffer);
  return hex(hmac(key, number, text).subarray(0, 16));
}

const colours = "amber blue coral golden green ivory jade mint rosy ruby silver teal violet";
const animals = "badger bear crane falcon fox heron lark lynx otter owl panda raven seal swan tiger whale wren";

// A friendly name such as "blue heron".
export function suggestedName() {
  const one = (list, number) => list.split(" ")[number % list.split(" ").length];
  const [first, second] = random(2);
  return `${one(colours, first)} ${one(animals, second)}`;
}

// A browser that forbids storage forgets all this when the page is loaded again.
let storage = {};
try {
  storage = sessionStorage;
} catch {
  // The object does.
}

export function keep(key, value) {
  storage[`potluck ${key}`] = value;
}

export const kept = (key) => storage[`potluck ${key}`] ?? null;
