// Who this page is: the ticket from the address, a number of its own, and a name. The browser forgets them with the tab.

import { fromHex, hex, random } from "./octets.js";
import { hmac } from "./sha256.js";

// Digits and letters without those that look alike. Each stands for five bits of a ticket, which has 15 octets.
const symbols = "0123456789abcdefghjkmnpqrstvwxyz";
const alike = { o: "0", i: "1", l: "1" };

// A ticket as people type it, also in capitals and without hyphens, in its one form: six groups of four. Null if it is none.
export function ticketIn(text) {
  const plain = text.toLowerCase().replace(/-|\s|%20/g, "").replace(/[oil]/g, (symbol) => alike[symbol]);
  return /^[0-9a-hjkmnp-tv-z]{24}$/.test(plain) ? plain.match(/..../g).join("-") : null;
}

// Its octets.
export function octetsOf(ticket) {
  const bits = Array.from(ticket.replaceAll("-", ""), (symbol) => symbols.indexOf(symbol).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g), (octet) => parseInt(octet, 2));
}

// The ticket in an address, as text. It stays in the address, so that people can show the address to others.
export function ticketInAddress() {
  const found = ticketIn(location.hash.slice(1));
  if (found) keep("ticket", found);
  return found ?? (location.hash.length > 1 ? null : kept("ticket"));
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
  const both = hmac(octetsOf(ticket), "potluck/1 page", mine, theirs);
  return { toGateway: hmac(both, "to gateway"), toPage: hmac(both, "to page"), both };
}

// What a page shows of its device for the host's ticket, which belongs to the first browser that opens it: a proof that it has
// the secret, and at first the secret itself, hidden from those without the ticket.
export function deviceProof(ticket, both, isFirst) {
  const secret = fromHex(deviceSecret(ticketID(ticket)));
  const mask = hmac(both, "potluck/1 device");
  return {
    proof: hex(hmac(secret, "potluck/1 device", both).subarray(0, secret.length)),
    device: isFirst ? hex(secret.map((octet, place) => octet ^ mask[place])) : null,
  };
}

export const ticketID = (ticket) => hex(hmac(octetsOf(ticket), "potluck/1 ticket").subarray(0, 8));

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
let [storage, lasting] = [{}, {}];
try {
  [storage, lasting] = [sessionStorage, localStorage];
} catch {
  // The objects do.
}

// The secret of this browser for a ticket. It outlives the tab.
function deviceSecret(id) {
  return (lasting[`potluck device ${id}`] ??= hex(random(16)));
}

export function keep(key, value) {
  storage[`potluck ${key}`] = value;
}

export const kept = (key) => storage[`potluck ${key}`] ?? null;
