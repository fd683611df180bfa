// Octets as text: hexadecimal, base64, UTF-8, and the 64-bit slots of tallies.

const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);

export const hex = (octets) => Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join("");

export const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

export function base64(octets) {
  let text = "";
  // A call takes its arguments from the stack, so a long list goes in parts.
  for (let at = 0; at < octets.length; at += 8192) text += String.fromCharCode(...octets.subarray(at, at + 8192));
  return btoa(text);
}

export const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

// Joins octets and texts.
export function joined(...parts) {
  const all = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  const result = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

export const random = (count) => crypto.getRandomValues(new Uint8Array(count));
