// The column beside the job: the address with its code, the people, the messages, the finished runs.

import { find, list, make, say, show } from "./dom.js";
import { drawing } from "./qr.js";
import { addressFor } from "./ticket.js";
import { clock, count, titled } from "./words.js";

/** A longer list of people is only counted: nobody reads it. */
const mostMembers = 60;

export function showAddress(ticket, mayLend) {
  const address = addressFor(ticket);
  find("code").replaceChildren(drawing(address) ?? "");
  say(find("address"), address);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const here = "This address works on this computer only. Open the page by its address in the network to share it.";
  const rights = mayLend ? "Everybody who opens it sees the session and can lend a device." : "Everybody who opens it sees the session.";
  say(find("address-note"), isHere ? here : rights);
}

const ranks = { laptop: 0, browser: 1, viewer: 2 };

export function showMembers(session) {
  const { members, waiting } = session;
  const here = members.filter((member) => member.state !== "lost");
  const of = (kind) => here.filter((member) => member.kind === kind);
  const cores = here.reduce((sum, member) => sum + (member.cores ?? 0), 0);
  const parts = [["laptop", "laptop"], ["browser", "browser that lends", "browsers that lend"], ["viewer", "viewer"]]
    .filter(([kind]) => of(kind).length > 0)
    .map(([kind, one, many]) => count(of(kind).length, one, many));
  if (cores > 0) parts.push(count(cores, "core"));
  say(find("counts"), parts.join(" · "));
  const order = (member) => (member.isYou ? -1 : ranks[member.kind] ?? 3);
  const sorted = [...members].sort((one, other) => order(one) - order(other));
  const shown = sorted.slice(0, mostMembers);
  const rest = sorted.length - shown.length;
  const rows = rest > 0 ? [...shown, { name: `and ${rest} more`, kind: "" }] : shown;
  list(find("members"), rows, (member, place) => `${member.kind} ${member.name} ${place}`, memberRow, fillMember);
  list(find("waiting"), waiting, (_, place) => place, () => make("li"), (row, line) => say(row, line));
}

function memberRow() {
  const row = make("li", {}, make("span", { class: "who" }), make("span", { class: "what" }));
  return row;
}

function fillMember(row, member) {
  say(row.firstChild, member.isYou ? `${member.name} (you)` : member.name);
  const kind = member.kind === "viewer" ? "views" : member.kind;
  const cores = member.cores > 0 ? count(member.cores, "core") : "";
  say(row.lastChild, [kind, cores, member.state === "lost" ? "lost" : ""].filter(Boolean).join(", "));
  row.className = member.state === "lost" ? "lost" : "";
}

export function showNews(news) {
  show(find("messages"), news.length > 0);
  const fillNews = (row, { text, by, at }) => {
    say(row.children[0], clock(at));
    say(row.children[1], by ? `${by}:` : "");
    say(row.children[2], text);
  };
  const row = () => make("li", {}, make("time"), " ", make("strong"), " ", make("span"));
  // The latest comes first, so that it is seen without scrolling.
  list(find("news"), [...news].reverse(), (item) => (item.number ??= `${item.at} ${Math.random()}`), row, fillNews);
}

/** `open(run)` shows the report of a run. */
export function showRuns(runs, open) {
  show(find("history"), runs.length > 0);
  const row = () => {
    const button = make("button", { type: "button", class: "link" });
    return make("li", {}, button, make("span", { class: "what" }));
  };
  list(find("runs"), [...runs].reverse(), (run) => run.job, row, (element, run) => {
    const given = (run.parameters ?? []).filter((one) => !one.isDefault).map(({ name, value }) => `${name} ${value}`);
    say(element.firstChild, [titled(run.simulation), ...given].join(", "));
    element.firstChild.onclick = () => open(run);
    const work = run.isSearch ? "" : count(run.trials ?? 0, "trial");
    say(element.lastChild, [work, run.state === "failed" ? "failed" : ""].filter(Boolean).join(", "));
  });
}
