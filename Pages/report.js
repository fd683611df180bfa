// The report that a reader keeps: one file with everything in it, which a browser opens without a server.

import { isReal } from "./charts.js";
import { make } from "./dom.js";
import { proofOf } from "./jobview.js";
import { base64 } from "./octets.js";
import { chartsOf, dataOf } from "./save.js";
import { given } from "./session.js";
import { clock, count, like, percent, time, titled } from "./words.js";

const style = (colour) => `body { margin: 2rem auto; max-width: 50rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: ${colour("--ink")}; background: ${colour("--paper")}; overflow-wrap: break-word }
a { color: ${colour("--blue")} } table { border-collapse: collapse } th, td { text-align: left; padding: .2rem 1rem .2rem 0; font-weight: 400 }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere } figure { margin: 1rem 0 } svg { max-width: 100%; height: auto }
@media print { body { background: none } section { break-inside: avoid } }`;

const table = (heads, rows) => make("table",
  make("thead", make("tr", ...heads.map((head) => head ? make("th", { scope: "col" }, head) : make("td")))),
  make("tbody", ...rows.map((cells) => make("tr", ...cells.map((cell, place) => make(place ? "td" : "th", ...(place ? [] : [{ scope: "row" }]), cell))))));

const section = (title, ...children) => make("section", make("h2", title), ...children.filter(Boolean));

// A reading in words: its value, its interval, the exact answer.
function row({ name, text, value, low, high, exact }) {
  const interval = isReal(value) && isReal(low) && isReal(high) ? `${like(text, low)} … ${like(text, high)}` : "";
  return [name, text || "", interval, isReal(exact) ? like(text, exact) : ""];
}

// A link to a file that is within the report.
async function link({ name, blob }) {
  const octets = new Uint8Array(await blob.arrayBuffer());
  return make("li", make("a", { href: `data:${blob.type};base64,${base64(octets)}`, download: name }, name));
}

// Makes the report of a finished run, whose view is under `view.root`. `session` is the session's name, `you` that of this page.
export async function reportOf(job, course, view, { session, you }) {
  const kept = document.implementation.createHTMLDocument(`${titled(job.simulation)} – ${session}`);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const charts = await chartsOf(job, view.root);
  const drawn = await Promise.all(charts.filter(({ blob }) => blob.type === "image/svg+xml").map(async ({ blob }) => {
    const drawing = new DOMParser().parseFromString(await blob.text(), "image/svg+xml").documentElement;
    return make("figure", make("figcaption", drawing.getAttribute("aria-label")), drawing);
  }));
  const guessed = view.guess.root.querySelector("svg") ? drawn.splice(-1) : [];
  const mine = job.nodes.find((node) => node.name === you);
  const guesses = view.guess.root.hidden ? [] : view.guess.words;
  const parts = [
    mine ? `${you} computed ${percent(mine.share ?? 0)} of the ${job.unit ?? "trial"}s.` : "", view.guess.ownWords,
  ].filter(Boolean);
  kept.head.append(make("meta", { charset: "utf-8" }), make("meta", { name: "viewport", content: "width=device-width" }));
  kept.documentElement.lang = "en";
  kept.body.append(make("main",
    make("h1", titled(job.simulation)), make("p", job.summary), ...(given(job).length ? [make("p", given(job).join(" · "))] : []),
    make("p", `Computed in the session ${session}; saved on ${new Date().toLocaleDateString()} at ${clock(Date.now())}.`),
    section("What the room found",
      make("p", [count(job.trials ?? 0, job.unit ?? "trial"), isReal(job.elapsed) ? `in ${time(job.elapsed)}` : "",
        job.nodes.length ? `by ${count(job.nodes.length, "device")}` : ""].filter(Boolean).join(" ")),
      table(["reading", "value", "95 % interval", "exact answer"], job.readings.filter((reading) => reading.text).map(row)), ...drawn),
    ...(guesses.length ? [section("What the room guessed", ...guesses.map((line) => make("p", line)), ...guessed)] : []),
    ...(parts.length ? [section("Your part", ...parts.map((line) => make("p", line)))] : []),
    section("Compute it again",
      make("p", job.repeat ? "Anybody with Potluck gets the same digest:" : "The author of the simulation can repeat this run."),
      table(["what", "value"], proofOf(job).map(([name, text]) => [name, make("code", text)]))),
    ...(job.nodes.length ? [section("Who computed", table(["name", "share"], job.nodes.map((node) => [node.name, percent(node.share ?? 0)])))] : []),
    section("Files", make("ul", ...await Promise.all([dataOf(job, course), ...charts].map(link))))));
  // The page's policy forbids a style sheet within a document, also one that is not shown.
  const text = new XMLSerializer().serializeToString(kept.documentElement).replace("</head>", `<style>${style(colour)}</style></head>`);
  return { name: `${job.simulation}-report.html`, blob: new Blob([`<!doctype html>\n${text}\n`], { type: "text/html" }) };
}
