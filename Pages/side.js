// The column beside the job: the address with its code, the people, the messages, the finished runs.

import { find, list, make, say, show } from "./dom.js";
import { twice } from "./host.js";
import { isProjector } from "./projector.js";
import { drawing } from "./qr.js";
import { named } from "./session.js";
import { addressFor } from "./ticket.js";
import { clock, count, percent } from "./words.js";

export function showAddress(ticket, mayLend) {
  const address = addressFor(ticket);
  // The groups of the ticket stay whole where the line breaks.
  const start = address.indexOf("#") + 1;
  // Without the hyphens, which are for people, the code has fewer and larger squares.
  find("code").replaceChildren(drawing(address.slice(0, start) + address.slice(start).replaceAll("-", "")) ?? "");
  const groups = address.slice(start).split(/(?<=-)/);
  find("address").replaceChildren(address.slice(0, start), ...groups.flatMap((group) => [make("wbr"), make("span", group)]));
  const isOnlyHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const rights = `Everybody who opens it sees the session${mayLend ? " and can lend a device" : ""}.`;
  say(find("address-note"), isOnlyHere ? "This address works on this computer only." : rights);
}

const ranks = { laptop: 0, browser: 1, viewer: 2 };
// `pupil 9` before `pupil 10`.
const byName = (one, other) => one.name.localeCompare(other.name, undefined, { numeric: true });

// `job` is the one in view, or null. `remove(name)` removes a member; null if this page may not.
export function showMembers(session, job, remove) {
  const { members, waiting } = session;
  const here = members.filter((member) => member.state !== "lost");
  const of = (kind) => here.filter((member) => member.kind === kind);
  const cores = here.reduce((sum, member) => sum + (member.cores ?? 0), 0);
  const parts = [["laptop", "laptop"], ["browser", "browser that lends", "browsers that lend"], ["viewer", "viewer"]]
    .filter(([kind]) => of(kind).length > 0)
    .map(([kind, one, many]) => count(of(kind).length, one, many));
  if (cores > 0) parts.push(count(cores, "core"));
  const order = (member) => (member.isYou ? -1 : ranks[member.kind] ?? 3);
  const rows = [...members].sort((one, other) => order(one) - order(other) || byName(one, other));
  const shares = new Map((job?.nodes ?? []).map(({ name, share }) => [name, share]));
  list(find("members"), rows, (member, place) => `${member.kind} ${member.name} ${place}`, memberRow, (row, member) => {
    fillMember(row, member, shares.get(member.name));
    const mayRemove = remove !== null && !member.isYou && member.name !== session.welcome?.gateway;
    allowRemoval(row, mayRemove ? () => remove(member.name) : null, member.name);
  });
  // A projector does not scroll.
  const hidden = isProjector() ? unseen(find("members")) : 0;
  say(find("counts"), [...parts, ...(hidden > 0 ? [`${hidden} more than fit here`] : [])].join(" · "));
  list(find("waiting"), waiting, (_, place) => place, () => make("li"), (row, line) => say(row, line));
}

const memberRow = () => make("li", make("span.who"), make("span.what"));

function fillMember(row, member, share) {
  const [who, what] = row.children;
  say(who, member.isYou ? `${member.name} (you)` : member.name);
  const kind = member.kind === "viewer" ? "views" : member.kind;
  const cores = member.cores > 0 ? count(member.cores, "core") : "";
  const part = share > 0 ? percent(share) : "";
  say(what, [kind, cores, part, member.state === "lost" ? "lost" : ""].filter(Boolean).join(", "));
}

function allowRemoval(row, act, name) {
  let button = row.querySelector("button");
  if (act && !button) {
    button = twice("Remove", name);
    row.append(button);
  }
  if (button) button.act = act;
  if (button) show(button, act !== null);
}

// How many rows of a list are below its lower edge.
function unseen(rows) {
  const end = rows.getBoundingClientRect().bottom + 1;
  return [...rows.children].filter((row) => row.getBoundingClientRect().bottom > end).length;
}

// Prints who is here, all of them, and nothing else.
export function printMembers() {
  const look = document.documentElement.classList;
  look.add("roster");
  addEventListener("afterprint", () => look.remove("roster"), { once: true });
  print();
}

export function showNews(news) {
  show(find("messages"), news.length > 0);
  const fillNews = (row, { text, by, at }) => {
    say(row.children[0], clock(at));
    say(row.children[1], by ? `${by}:` : "");
    say(row.children[2], text);
  };
  const row = () => make("li", make("time"), " ", make("strong"), " ", make("span"));
  // The latest comes first, so that it is seen without scrolling.
  list(find("news"), [...news].reverse(), (item) => (item.number ??= `${item.at} ${Math.random()}`), row, fillNews);
}

// A message of the host is in front of everything until its reader closes it. A projector has no reader, and its room has
// read a message after this time. Older ones are only in the list.
const attention = 60_000;
let timer = null;

export function showMessage({ text, by, at }) {
  if (Date.now() - at > attention) return;
  say(find("said-by"), `${by}:`);
  say(find("said-text"), text);
  find("said").style.setProperty("--letters", text.length);
  show(find("said"), true);
  clearTimeout(timer);
  timer = setTimeout(() => find("said").classList.add("old"), attention - (Date.now() - at));
  find("said").classList.remove("old");
  // A browser lets only a page shake that its reader has touched.
  if (navigator.userActivation?.hasBeenActive && !matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(200);
}

export function closeMessage() {
  show(find("said"), false);
}

// `open(run)` shows the report of a run.
export function showRuns(runs, open) {
  show(find("history"), runs.length > 0);
  const row = () => {
    const button = make("button.link");
    return make("li", button, make("span.what"));
  };
  list(find("runs"), [...runs].reverse(), (run) => run.job, row, (element, run) => {
    say(element.firstChild, named(run));
    element.firstChild.onclick = () => open(run);
    const work = run.isSearch ? "" : count(run.trials ?? 0, run.unit ?? "trial");
    say(element.lastChild, [work, run.state === "failed" ? "failed" : ""].filter(Boolean).join(", "));
  });
}
