// The page: it joins a session with the ticket in its address, and shows what arrives.

import { find, list, make, say, show } from "./dom.js";
import { takesGuesses } from "./guess.js";
import { HostPanel } from "./host.js";
import { JobView, sentence } from "./jobview.js";
import { Lender } from "./lend.js";
import { Link } from "./link.js";
import { showPrograms, standings } from "./programs.js";
import { arrange, isProjector, project, startProjector } from "./projector.js";
import { reportOf } from "./report.js";
import { chartsOf, dataOf, save } from "./save.js";
import { Session, isUnderWay, named, standing } from "./session.js";
import { closeMessage, printMembers, showAddress, showMembers, showMessage, showNews, showRuns } from "./side.js";
import { announce, ending, sayState } from "./status.js";
import { client, guessID, keep, kept, renewClient, suggestedName, ticketInAddress } from "./ticket.js";
import { titled } from "./words.js";

// A guess that is not listed after this time is sent again: its way was lost, or the job was still being prepared.
const patience = 5_000;
// A restarted gateway shows its jobs within this time. What it has not shown by then it does not know.
const settling = 2_000;

const ticket = ticketInAddress();
const session = new Session();
let link = null;
// When the last picture of the session came, as Date.now().
let pictured = null;
// Since when there is no link, as Date.now(); null while there is one.
let lost = null;
// The job that the reader chose; null for the foremost.
let chosen = null;
// Of which picture a screen reader was told.
let announced = null;
// What it was told of the programs with ranks.
let toldPrograms = "";
// The run whose report is open.
let opened = null;
// What had the focus before the report was opened.
let opener = null;
let isDue = false;
// When the guess of each job was sent last, by its ID, as Date.now().
const offered = new Map();

const lender = new Lender((message) => link.send(message), () => redraw());
const host = new HostPanel((message) => link.send(message));
const live = new JobView({ offer, prepared: (job) => lender.prepared(job) });
const report = new JobView();
find("job").append(live.root);
find("report").append(report.root);

function start() {
  find("project").onclick = () => turnProjector(!isProjector());
  startProjector({ redraw, nextJob, closeMessage });
  find("retry").onclick = retry;
  find("back").onclick = closeReport;
  find("print").onclick = () => print();
  find("print-members").onclick = printMembers;
  find("save-report").onclick = () => {
    const { session: name, you } = session.welcome;
    reportOf(opened, session.courses.get(opened.job) ?? [], report, { session: name, you }).then(save);
  };
  find("save-data").onclick = () => save(dataOf(opened, session.courses.get(opened.job) ?? []));
  find("save-charts").onclick = () => chartsOf(opened, report.root).then((files) => files.forEach(save));
  find("said-close").onclick = closeMessage;
  find("earlier").onchange = ({ target }) => {
    choose(target.value);
    target.value = "";
  };
  addEventListener("keydown", (event) => {
    // That key closes the help first.
    if (event.key === "Escape" && !find("keys").open) opened ? closeReport() : turnProjector(false);
  });
  // Another ticket in the address means another session, or other rights in this one.
  addEventListener("hashchange", () => location.reload());
  find("join").onsubmit = (event) => {
    event.preventDefault();
    show(find("join"), false);
    enter(find("name").value.trim() || suggestedName());
  };
  find("rename").onsubmit = (event) => {
    event.preventDefault();
    keep("name", find("new-name").value.trim() || kept("name"));
    link.send({ do: "name", name: kept("name") });
  };
  if (!ticket) return sayState("missing", { last: null, lost: null });
  if (new URLSearchParams(location.search).has("projector")) turnProjector(true);
  const name = kept("name") ?? (isProjector() ? "projector" : null);
  if (name !== null) return enter(name);
  sayState("start", { last: null, lost: null });
  const field = find("name");
  field.value = suggestedName();
  show(find("join"), true);
  field.select();
}

function enter(name) {
  keep("name", name);
  find("new-name").value = name;
  link = new Link(ticket, {
    changed: connectionChanged,
    arrived,
    greeting: () => ({ do: "join", client: client(), name: kept("name") }),
  });
  link.connect();
  connectionChanged();
}

function retry() {
  if (link.state === "elsewhere") renewClient();
  link.connect();
}

function connectionChanged() {
  if (link.state !== "open") lender.disconnected(ending(link.state));
  lost = link.state === "open" ? null : (lost ?? Date.now());
  sayConnection();
}

function sayConnection() {
  sayState(link.state, { failures: link.failures, last: pictured, lost, session: session.welcome?.session });
}

function arrived(message) {
  if (host.take(message) || lender.take(message) || !session.take(message)) return;
  pictured = Date.now();
  switch (message.is) {
    case "welcome":
      welcomed(message);
      break;
    case "programs":
      tellPrograms();
      break;
    case "job":
      // A run that ends joins the history.
      if (!isUnderWay(message)) askForRuns();
      offerAgain();
      // A job that waits for long asks for guesses.
      if (message.state === "waiting") setTimeout(redraw, 1_100);
      break;
    case "over":
      askForRuns();
      break;
    case "news":
      announce(message.by ? `${message.by} says: ${message.text}` : message.text);
      if (message.by) showMessage(session.news.at(-1));
      break;
  }
  redraw();
}

function welcomed(message) {
  show(find("live"), true);
  show(find("side"), true);
  show(find("project"), true);
  say(find("version"), `Potluck ${message.version}`);
  if (document.activeElement !== find("new-name")) find("new-name").value = kept("name");
  // Nobody else can use the host's address.
  show(find("share"), !host.isHost);
  if (!host.isHost) showAddress(ticket, message.mayLend);
  lender.welcomed(message.mayLend === true);
  askForRuns();
  setTimeout(() => {
    session.forgetStale();
    redraw();
  }, settling);
}

// Sends what the reader guesses of a job, and keeps it.
function offer(job, value) {
  keep(`guess ${job.job}`, value);
  offered.set(job.job, Date.now());
  link.send({ do: "guess", job: job.job, value });
  redraw();
}

// What this page guessed of a job; null if nothing.
function guessOf(job) {
  const listed = session.guesses.get(job)?.find(([, , page]) => page === guessID());
  const own = listed?.[0] ?? kept(`guess ${job}`);
  return own === null ? null : Number(own);
}

function offerAgain() {
  for (const job of session.jobs.values()) {
    const own = kept(`guess ${job.job}`);
    if (own === null || !takesGuesses(job) || Date.now() - (offered.get(job.job) ?? 0) < patience) continue;
    if (!session.guesses.get(job.job)?.some(([, , page]) => page === guessID())) offer(job, Number(own));
  }
}

const update = (view, job) => view.update(job, session.courses.get(job.job) ?? [], session.guesses.get(job.job) ?? [], guessOf(job.job));

function tellPrograms() {
  const standing = standings(session.programs);
  if (standing !== "" && standing !== toldPrograms) announce(standing);
  toldPrograms = standing;
}

let asked = null;

// Asks for the finished runs, once for several endings at the same time.
function askForRuns() {
  asked ??= setTimeout(() => {
    asked = null;
    link.send({ do: "results" });
  }, 200);
}

// Redraws once for all messages that arrive together. A hidden page is not drawn.
function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    drawAll();
  });
}

function drawAll() {
  sayConnection();
  showNews(session.news);
  showRuns(session.runs, openReport);
  const job = session.jobs.get(chosen) ?? session.foremost;
  showMembers(session, job, host.isHost ? host.remove : null);
  host.update(job);
  show(find("job"), job !== null);
  showPrograms(session.programs);
  const isRanked = session.programs.length > 0;
  show(find("quiet"), job === null && !isRanked);
  find("live").classList.toggle("both", job !== null && isRanked);
  drawChoice(job);
  if (job) {
    update(live, job);
    if (arrange(live)) live.draw();
    if (job.at !== announced) announce(sentence(job), true);
    announced = job.at;
    document.title = `${titled(job.simulation)} – ${session.welcome.session}`;
  }
  // The chart of an open report may still be filled by a late course.
  if (opened) {
    update(report, opened);
    show(find("save-charts"), report.root.querySelector(".chart svg") !== null);
  }
}

// Buttons for the jobs, where there are several: those that are open, the one in view, and the one that ended last. A list
// has the others.
function drawChoice(current) {
  const jobs = [...session.jobs.values()];
  const last = jobs.reduce((last, job) => (job.end > (last?.end ?? 0) ? job : last), null);
  const [near, earlier] = [[], []];
  for (const job of jobs) (isUnderWay(job) || job === current || job === last ? near : earlier).push(job);
  show(find("choice"), jobs.length > 1);
  list(find("jobs"), near, (job) => job.job, () => make("button"), (button, job) => {
    say(button, told(job, near));
    button.setAttribute("aria-pressed", job === current);
    button.onclick = () => choose(job.job);
  });
  const select = find("earlier");
  show(select, earlier.length > 0);
  const lines = [{ job: "", words: "Earlier" }, ...earlier.reverse().map((job) => ({ job: job.job, words: told(job, earlier) }))];
  list(select, lines, (line) => line.job, () => make("option"), (option, line) => {
    option.value = line.job;
    say(option, line.words);
  });
}

// A job beside `others`: two of the same settings are told apart by their numbers.
function told(job, others) {
  const isTwin = others.some((other) => other !== job && named(other) === named(job));
  return `${named(job)}${isTwin ? ` ${job.job.slice(0, 4)}` : ""} (${standing(job)})`;
}

function choose(job) {
  chosen = job;
  redraw();
}

function openReport(run) {
  opened = run;
  opener = document.activeElement;
  show(find("report"), true);
  show(find("live"), false);
  drawAll();
  find("back").focus();
  scrollTo(0, 0);
}

function closeReport() {
  opened = null;
  show(find("report"), false);
  show(find("live"), true);
  opener?.focus();
  redraw();
}

function turnProjector(isOn) {
  project(isOn);
  redraw();
}

// Shows the job after the one in view.
function nextJob() {
  const jobs = [...session.jobs.keys()];
  const now = jobs.indexOf(chosen ?? session.foremost?.job);
  if (jobs.length > 0) choose(jobs[(now + 1) % jobs.length]);
}

start();
