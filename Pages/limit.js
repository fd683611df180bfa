// The memory limit. A module may grow its own memory, so the limit is written into the module before it is compiled.

const pageSize = 65_536;
const memorySection = 5;

export class NeedsMore extends Error {}

// Returns the module with at most `octets` of memory. Throws NeedsMore if it begins with more.
export function withMemoryLimit(module, octets) {
  const limit = Math.floor(octets / pageSize);
  let at = 8;
  while (at < module.length) {
    const id = module[at];
    const [size, body] = number(module, at + 1);
    if (id === memorySection) return replaced(module, at, body, body + size, limit);
    at = body + size;
  }
  return module;
}

function replaced(module, start, body, end, limit) {
  const [count, flagsAt] = number(module, body);
  const flags = module[flagsAt];
  const [least, mostAt] = number(module, flagsAt + 1);
  if (count !== 1 || flags > 1) throw new Error("it has another kind of memory");
  if (least > limit) throw new NeedsMore();
  const most = flags === 1 ? Math.min(limit, number(module, mostAt)[0]) : limit;
  const section = [...encoded(1), 1, ...encoded(least), ...encoded(most)];
  const head = [memorySection, ...encoded(section.length)];
  const result = new Uint8Array(start + head.length + section.length + module.length - end);
  result.set(module.subarray(0, start));
  result.set([...head, ...section], start);
  result.set(module.subarray(end), start + head.length + section.length);
  return result;
}

// A number in groups of seven bits, least significant first, and the place after it.
export function number(octets, from) {
  let value = 0;
  for (let at = from, factor = 1; at < from + 5; at++, factor *= 128) {
    value += (octets[at] & 0x7f) * factor;
    if (octets[at] < 0x80) return [value, at + 1];
  }
  throw new Error("a number is too long");
}

function encoded(value) {
  const octets = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...octets, rest];
    octets.push((rest % 128) | 0x80);
  }
}
