// A module may carry a second one in a custom section: the same simulation with vectors of 128 bits, which gives the same
// tallies.

import { number } from "./limit.js";

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const section = new TextEncoder().encode("potluck.lanes");

// Returns the second module; null if there is none, or if the first one is damaged.
export function lanesIn(module) {
  try {
    return found(module);
  } catch {
    return null;
  }
}

function found(module) {
  for (let at = header.length; at < module.length; ) {
    const id = module[at];
    const [size, body] = number(module, at + 1);
    at = body + size;
    if (at > module.length) return null;
    if (id !== 0) continue;
    const [length, name] = number(module, body);
    const start = name + section.length;
    if (length !== section.length || !startsWith(module.subarray(name, at), section)) continue;
    const lanes = module.subarray(start, at);
    return startsWith(lanes, header) ? lanes : null;
  }
  return null;
}

const startsWith = (octets, wanted) => wanted.every((octet, index) => octets[index] === octet);
