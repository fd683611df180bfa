// The programs with ranks: what each does, and what its ranks do on every laptop.

import { find, list, make, say, sayOrHide, show } from "./dom.js";
import { titled } from "./words.js";

// What a cell says besides its rank's number. Its colour only repeats that.
const marks = { computes: "", waits: " …", ended: " ✓" };
const meanings = { computes: "computes", waits: "waits", ended: "has ended" };

const titleOf = (program) => `${titled(program.name)} by ${program.launcher}`;

export function showPrograms(programs) {
  show(find("programs"), programs.length > 0);
  list(find("programs"), programs, (_, place) => place, programCard, fillCard);
}

// What people are told who cannot see the page, when it changes.
export const standings = (programs) => programs.map((one) => `${titleOf(one)}: ${one.state}.`).join(" ");

function cell([number, state]) {
  return make("li", { class: state }, `${number}${marks[state] ?? ""}`);
}

function programCard() {
  const parts = {
    title: make("h2"), state: make("p"), facts: make("p.count"), laptops: make("ul.laptops"), more: make("p.note"),
    legend: make("ul.ranks legend", ...Object.keys(marks).map((state) => make("li", { class: state }, `3${marks[state]} ${meanings[state]}`))),
  };
  const card = make("section.card program", ...Object.values(parts));
  card.parts = parts;
  return card;
}

function fillCard({ parts }, program) {
  say(parts.title, titleOf(program));
  sayOrHide(parts.state, program.detail);
  parts.state.className = `state ${program.state === "ended" ? "good" : "bad"}`;
  say(parts.facts, program.facts.join(" · "));
  list(parts.laptops, program.laptops, (laptop) => laptop.name, laptopBox, fillLaptop);
  sayOrHide(parts.more, program.more > 0 ? `and ${program.more} more` : "");
  show(parts.legend, program.laptops.some((laptop) => laptop.ranks));
}

const laptopBox = () => make("li", make("h3"), make("ul.ranks"), make("p.facts"), make("p.wait"));

function fillLaptop(box, laptop) {
  const [name, ranks, facts, wait] = box.children;
  say(name, laptop.name);
  list(ranks, laptop.ranks ?? [], ([number, state]) => `${number} ${state}`, cell, () => {});
  say(facts, laptop.facts);
  sayOrHide(wait, laptop.wait);
}
