// Tallies: lists of 64-bit slots, which merge exactly and in any order. The kinds are those of version 1 of the interface.

const most = 2n ** 64n - 1n;
const largestKey = 2n ** 63n - 1n;
const smallestKey = 2n ** 63n;

// How many slots a field of each kind has; undefined for a kind that this page cannot merge.
export const width = ({ kind, bins }) =>
  [undefined, 1, 5, 1, 1, bins + 2, 11, undefined, undefined, 1 + 5 * sums(bins), buckets, bins, 11 * bins][kind];

// The sums of comoments: of each number, and of the product of each two.
const sums = (count) => count + (count * (count + 1)) / 2;
// The slots of quantiles.
const buckets = 4_100;

export function empty(layout) {
  const slots = layout.flatMap((field) => {
    const start = field.kind === 3 ? largestKey : field.kind === 4 ? smallestKey : 0n;
    return new Array(width(field)).fill(start);
  });
  return BigUint64Array.from(slots);
}

// Adds the tally `from` to `into`.
export function merge(layout, into, from) {
  let at = 0;
  for (const field of layout) {
    mergeField(field, into.subarray(at), from.subarray(at));
    at += width(field);
  }
}

function mergeField({ kind, bins }, into, from) {
  switch (kind) {
    case 1:
      return addCount(into, from, 0);
    case 2:
      return addSum(into, from, 0);
    case 3:
      if (BigInt.asIntN(64, from[0]) < BigInt.asIntN(64, into[0])) into[0] = from[0];
      return undefined;
    case 4:
      if (BigInt.asIntN(64, from[0]) > BigInt.asIntN(64, into[0])) into[0] = from[0];
      return undefined;
    case 5:
    case 10:
    case 11:
      for (let place = 0; place < width({ kind, bins }); place++) addCount(into, from, place);
      return undefined;
    case 12:
      for (let place = 0; place < width({ kind, bins }); place += 11) {
        mergeField({ kind: 6 }, into.subarray(place), from.subarray(place));
      }
      return undefined;
    default:
      // Moments and comoments: a count, and sums.
      addCount(into, from, 0);
      for (let place = 1; place < width({ kind, bins }); place += 5) addSum(into, from, place);
  }
}

function addCount(into, from, place) {
  const sum = into[place] + from[place];
  into[place] = sum > most ? most : sum;
}

// Adds 256 bits in four slots; the fifth has flags.
function addSum(into, from, place) {
  let carry = 0n;
  for (let slot = place; slot < place + 4; slot++) {
    const sum = into[slot] + from[slot] + carry;
    into[slot] = sum;
    carry = sum >> 64n;
  }
  into[place + 4] |= from[place + 4];
}
