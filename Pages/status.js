// What this page says about its connection, and to people who listen instead of look.

import { find, say, show } from "./dom.js";
import { clock, time } from "./words.js";

// A screen reader is interrupted this often at most.
const quiet = 10_000;

// Who waits longer than this for a server, in milliseconds, has to do something: it may be at another address. A server
// that restarts is back within seconds, and people notice a minute.
const patience = 60_000;

// What each ending means, and what to do.
const problems = {
  missing: ["This address is not complete", "It must end with # and a ticket. Scan the code on the host's screen, or type the whole address."],
  ticket: ["This address is no longer valid", "The host has made new tickets, or it has a mistake. Scan the code on the host's screen again."],
  removed: ["The host removed this page", "Ask the host if you think that this is a mistake."],
  elsewhere: ["This page is open in another tab", "Only one tab can show the session.", "Continue here"],
  device: ["This address belongs to another device", "The host's page opens only in the browser that opened it first. On the host's computer, 'potluck web SESSION --host --new' makes another address."],
  ended: ["The session has ended", "What this page received remains visible until you close it.", "Look again"],
};

// Why the link does not come back by itself in that state; "" if it does.
export const ending = (state) => problems[state]?.[0] ?? "";

// What to do when the server stays away.
function absence(since) {
  return [`No contact with the server for ${time((Date.now() - since) / 1000)}`,
    "This page keeps trying. If the host has started the session again, its address may be another one: scan the code on the host's screen again."];
}

// Says the state of the link. `last` is when the last picture came, or null; `lost` since when there is no link, or null.
export function sayState(state, { failures, last, lost, session }) {
  const since = last === null ? "" : `; what you see is from ${clock(last)}`;
  const words = {
    start: "",
    open: "Live",
    connecting: failures > 1 ? `Waiting for the server at ${location.host}` : "Connecting…",
    lost: failures > 2 ? `Waiting for the server${since}` : `Connection lost, reconnecting${since}`,
    full: `The session is full; trying again${since}`,
  };
  const isAway = lost !== null && (state === "connecting" || state === "lost") && Date.now() - lost > patience;
  const problem = isAway ? absence(lost) : problems[state];
  const text = words[state] ?? problem[0];
  const element = find("state");
  say(element, text);
  element.className = state === "open" ? "good" : state === "start" || state === "connecting" ? "" : "bad";
  document.body.classList.toggle("stale", last !== null && state !== "open");
  show(find("problem"), Boolean(problem));
  if (problem) {
    say(find("problem-title"), problem[0]);
    say(find("problem-text"), problem[1]);
    show(find("retry"), problem.length > 2);
    say(find("retry"), problem[2]);
  }
  say(find("session"), session ?? "A session");
  if (text !== spoken.state && text !== "") announce(text);
  spoken.state = text;
}

const spoken = { at: -Infinity, news: [], picture: "", timer: null, state: "" };

// Tells a screen reader, or waits until it may be told. Of several pictures only the latest is told; news all are.
export function announce(text, isPicture = false) {
  if (isPicture) spoken.picture = text;
  else spoken.news.push(text);
  if (spoken.timer !== null) return;
  const wait = Math.max(0, spoken.at + quiet - performance.now());
  spoken.timer = setTimeout(() => {
    spoken.timer = null;
    spoken.at = performance.now();
    say(find("announcement"), [...spoken.news.splice(0), spoken.picture].join(" "));
  }, wait);
}
