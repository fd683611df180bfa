// What this page knows of the session: the last picture of everything that the gateway sent.

import { titled } from "./words.js";

// News beyond this many are forgotten, oldest first.
const mostNews = 100;
// Finished runs beyond this many are forgotten, oldest first.
const mostRuns = 100;
// A gateway tells its last news again to a page that reconnects. Two of the same words are one within this time.
const same = 2_000;

// The states of a job that can still change. The coordinator of a lost one may return.
const underWay = new Set(["waiting", "running", "paused", "stopping", "lost"]);

export const isUnderWay = (job) => underWay.has(job.state);

// The state in a word for people.
export const standing = (job) => (job.state === "lost" ? "no contact" : job.state);

// After the last picture of a job that is done, its result is still to come.
const hasEnded = (job) => Boolean(job?.digest) || job?.state === "failed";

// The parameters that are not the defaults: `doors 5`.
export const given = (job) => job.parameters.filter((one) => !one.isDefault).map(({ name, value }) => `${name} ${value}`);

// What tells a job from others of its simulation: `Monty Hall, doors 5`.
export const named = (job) => [titled(job.simulation), ...given(job)].join(", ");

export class Session {
  welcome = null;
  members = [];
  waiting = [];
  news = [];
  // The last pictures of the jobs that the gateway knows, by their IDs, oldest job first.
  jobs = new Map();
  // The programs with ranks that are in sight, the latest first.
  programs = [];
  // The points of each job's course, by its ID. They outlive the job, for its report.
  courses = new Map();
  // What people guessed of each job, by its ID: [value, name, page]. They outlive the job, too.
  guesses = new Map();
  // The finished runs, oldest first. A gateway that restarted knows only later ones, so what was seen stays.
  runs = [];
  // Those of an answer that is not complete, by their jobs.
  #coming = new Map();
  #stale = new Set();
  // The number of jobs whose end was seen.
  #ends = 0;
  // The job that ended last of those that the gateway has forgotten.
  #last = null;

  // Takes a message. Returns false if it is about something else.
  take(message) {
    switch (message.is) {
      case "welcome":
        this.welcome = message;
        // A gateway that restarted has other jobs. It shows all that it has; the old ones stay until then.
        this.#stale = new Set(this.jobs.keys());
        this.programs = [];
        this.#coming.clear();
        break;
      case "session":
        this.members = message.members;
        this.waiting = message.waiting;
        break;
      case "news":
        return this.#takeNews({ text: message.text, by: message.by ?? null, at: Date.now() - 1000 * (message.ago ?? 0) });
      case "job":
        this.#stale.delete(message.job);
        this.#takeJob(message);
        break;
      case "programs":
        this.programs = message.programs;
        break;
      case "course":
        this.#takeList(this.courses, message, message.points);
        break;
      case "guesses":
        this.#takeList(this.guesses, message, message.guesses);
        break;
      case "over":
        this.#forget(message.job);
        break;
      case "results":
        // An answer may have several parts, and the next answer may begin before it ends.
        for (const run of message.runs) this.#coming.set(run.job, run);
        if (!message.last) break;
        this.runs = this.runs.map((run) => this.#taken(run.job) ?? run);
        this.runs.push(...this.#coming.values());
        this.runs.splice(0, this.runs.length - mostRuns);
        this.#coming.clear();
        break;
      default:
        return false;
    }
    return true;
  }

  // Forgets the jobs of an earlier connection that the gateway has not shown again.
  forgetStale() {
    for (const job of this.#stale) this.#forget(job);
    this.#stale.clear();
  }

  #takeJob(message) {
    const before = this.jobs.get(message.job);
    const end = hasEnded(message) && !hasEnded(before) ? ++this.#ends : (before?.end ?? 0);
    this.jobs.set(message.job, { ...message, at: Date.now(), since: before?.since ?? Date.now(), end });
  }

  // What has ended remains in view until there is another job.
  #forget(id) {
    const job = this.jobs.get(id);
    if (hasEnded(job) && job.end > (this.#last?.end ?? 0)) this.#last = job;
    this.jobs.delete(id);
  }

  // Returns a run of the answer, and takes it from there.
  #taken(job) {
    const run = this.#coming.get(job);
    this.#coming.delete(job);
    return run;
  }

  // Returns whether the news are new.
  #takeNews(item) {
    if (this.news.some(({ text, by, at }) => text === item.text && by === item.by && Math.abs(at - item.at) < same)) return false;
    this.news.push(item);
    this.news.splice(0, this.news.length - mostNews);
    return true;
  }

  // Adds the items of a message to the list of its job, from that number on.
  #takeList(lists, message, items) {
    const list = lists.get(message.job) ?? [];
    list.length = Math.min(list.length, message.from);
    list.push(...items);
    lists.set(message.job, list);
  }

  // The job to show first: one that runs, or else another that can still change, or else the one that ended last.
  get foremost() {
    const jobs = [...this.jobs.values()].reverse();
    const open = jobs.filter(isUnderWay);
    const running = open.find((job) => job.state === "running") ?? open.find((job) => job.state !== "lost");
    const rank = (job) => (hasEnded(job) ? job.end : Infinity);
    const over = jobs.reduce((last, job) => (last && rank(last) >= rank(job) ? last : job), null);
    return running ?? open[0] ?? over ?? this.#last;
  }
}
