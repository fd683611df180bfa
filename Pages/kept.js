// What is known of the memory that a module leaves behind, by the numbers of `potluck_kept`. Laptops judge it by the same
// rules.

import { Failure } from "./module.js";

// More different memories than this show that each block leaves something else.
const most = 16;

const keeps = "it keeps something from one trial to the next; count in the tally, and let each trial start from nothing";

// The module's trials depend on earlier ones.
export class Keeps extends Failure {}

export class Kept {
  // The numbers after blocks that gave the same tally, and left the same, when they were computed again.
  #harmless = new Set();
  #isUnstable = false;

  // Whether each block leaves something else, although nothing depends on it.
  get isSuspect() {
    return this.#isUnstable || this.#harmless.size > most;
  }

  knows(number) {
    return this.#harmless.has(number);
  }

  // Throws if an instance that has computed a block, and had kept `before`, gives another tally for it now. What a block
  // prepares once is there when it is computed again. What leaves something else each time needs fresh memory for each block.
  judge(instance, block, answer, before) {
    const after = instance.kept();
    if (after === before || this.knows(after)) return;
    const seen = [after];
    for (let round = 0; round < 2; round++) {
      if (!isSame(instance.run(block, 1), answer)) throw new Keeps(keeps);
      const now = instance.kept();
      if (seen.includes(now)) {
        if (!this.isSuspect) seen.forEach((number) => this.#harmless.add(number));
        return;
      }
      seen.push(now);
    }
    this.#isUnstable = true;
  }
}

const isSame = (one, other) => isEqual(one.tally, other.tally) && isEqual(one.output, other.output);
const isEqual = (one, other) => one.length === other.length && one.every((value, index) => value === other[index]);
