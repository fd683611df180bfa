// Nothing of the page runs before all of its other scripts are here. On poor Wi-Fi, or beside a busy server, one may not
// arrive; then the page loads itself again, because nobody may sit at a projector.

// The pauses before the first time and before each later one, in milliseconds.
const pauses = { first: 500, later: 10_000 };
// After this time a person looks for what is wrong.
const patience = 10_000;

const beginning = () => document.getElementById("state");

addEventListener("error", ({ target }) => {
  if (target.tagName !== "SCRIPT") return;
  const isAgain = performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (beginning()) beginning().textContent = "A part of this page did not arrive; loading it again…";
  setTimeout(() => location.reload(), isAgain ? pauses.later : pauses.first);
}, true);

setTimeout(() => {
  if (beginning()?.textContent !== "Loading…") return;
  beginning().textContent = "Still loading; is this device in the network of the host?";
}, patience);
