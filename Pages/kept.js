// What is known of the memory that a module leaves behind, by the numbers of `potluck_kept`. Laptops judge it by the same
// rules.

import { Failure } from "./module.js";

// More different memories than this show that each block leaves something else.
const most = 16;

// The module's trials depend on earlier ones.
export class Keeps extends Failure {}

export class Kept {
  // The numbers after blocks that gave the same tally, and left the same, when they were computed again.
  #harmless = new Set();
  // Whether two blocks that began with fresh memory left different memory.
  #isUnsteady = false;

  // Whether each block leaves something else, although nothing depends on it.
  get isSuspect() {
    return this.#isUnsteady || this.#harmless.size > most;
  }

  knows(number) {
    return this.#harmless.has(number);
  }

  // Throws if an instance that has computed a block, and had kept `before`, now remembers it. What a block prepares once is
  // there when the same block is computed again, so nothing differs then, unless something is kept. `fresh` makes an instance.
  judge(instance, block, answer, before, fresh) {
    const after = instance.kept();
    if (after === before || this.knows(after)) return;
    const seen = [after];
    for (let round = 0; round < 2 && isSame(instance.run(block, 1), answer); round++) {
      const now = instance.kept();
      if (seen.includes(now)) {
        this.#isUnsteady ||= !this.#isSteady(instance, block, after, fresh);
        if (this.#harmless.size <= most) seen.forEach((number) => this.#harmless.add(number));
        return;
      }
      seen.push(now);
    }
    throw new Keeps(keeping);
  }

  // Whether the block beside this one leaves the same in an instance of its own. Throws if it gives another tally in the
  // instance that has computed this one: a value that the first trial decides is the same whenever a block is repeated.
  #isSteady(instance, block, left, fresh) {
    const other = block > 0n ? block - 1n : block + 1n;
    if (!instance.isWhole(other)) return true;
    const after = instance.run(other, 1);
    const made = fresh();
    if (!isSame(made.run(other, 1), after)) throw new Keeps(keeping);
    return made.kept() === left;
  }
}

const keeping = "it keeps something from one trial to the next; count in the tally, and let each trial start from nothing";

const isSame = (one, other) => isEqual(one.tally, other.tally) && isEqual(one.output, other.output);
const isEqual = (one, other) => one.length === other.length && one.every((value, index) => value === other[index]);
