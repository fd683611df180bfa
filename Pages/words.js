// Numbers and times in the words of Potluck's terminal screens.

const space = "\u202f";

// `1 000 000`, of a number or a decimal text.
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, space);

// Rounds to some digits, without an exponent where people can do without.
export function significant(value, digits) {
  if (!Number.isFinite(value)) return "?";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e15) return value.toExponential(digits - 1).replace("e+", "e");
  const exponent = Number(size.toExponential(digits - 1).split("e")[1]);
  return value.toFixed(Math.min(20, Math.max(0, digits - 1 - exponent)));
}

const large = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]];

// `734 112`, `1.43 billion`.
export function amount(value) {
  for (const [size, name] of large) {
    if (value >= size * 0.9995) return `${significant(value / size, 3)}${space}${name}`;
  }
  return value > 0 && value < 100 ? significant(value, 3) : grouped(Math.round(value));
}

export const rate = (perSecond) => `${amount(perSecond)}/s`;

// `350 ms`, `3.6 s`, `36 s`, `2 min 5 s`, `1 h 5 min`.
export function time(seconds) {
  if (seconds < 0.9995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 9.95) return `${significant(seconds, 2)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

// Never 100 % before all is done, and never 0 % afterwards.
export function percent(part) {
  if (part >= 1) return "100 %";
  const tenths = Math.floor(part * 1000) / 10;
  return part > 0 && tenths === 0 ? "< 0.1 %" : `${tenths < 10 ? tenths.toFixed(1) : Math.floor(tenths)} %`;
}

// The time of day, as the reader's own clock shows it.
export const clock = (moment) =>
  new Date(moment).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

// Writes other numbers of a reading with as many decimals as the gateway wrote its value.
export function like(text, value) {
  const [, decimals, exponent] = /^[-−]?\d*\.?(\d*)(e[-+]?\d+)?/.exec(text ?? "") ?? [];
  // "no value yet" has no decimals to follow.
  if (decimals === undefined || !/\d/.test(text ?? "")) return significant(value, 5);
  if (exponent) return significant(value, decimals.length + 1);
  return value.toFixed(Math.min(20, decimals.length)).replace("-", "−");
}

export const count = (number, one, many = `${one}s`) => `${grouped(number)} ${Number(number) === 1 ? one : many}`;

// Headings of simulations whose names alone would read badly.
const titles = {
  buffon: "Buffon's needle", "gamblers-ruin": "Gambler's ruin", golomb: "Golomb ruler", "monty-hall": "Monty Hall", pi: "π",
  tsp: "Travelling salesman",
};

// The name of a simulation as a heading: `coupon-collector` is `Coupon collector`.
export const titled = (name) =>
  Object.hasOwn(titles, name) ? titles[name] : (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("-", " ");
