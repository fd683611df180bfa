// The few ways in which this page touches the document. Texts come from other people, so nothing here parses markup.

export const find = (id) => document.getElementById(id);

/** Makes an element. Of the properties, `class` and those with a hyphen or of an SVG become attributes. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") element.className = value;
    else if (key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

/** Makes an element of a drawing. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Sets a text in place: a new text node would flicker, and lose the reader's selection. */
export function say(element, text) {
  const wanted = text ?? "";
  if (element.textContent === wanted) return;
  if (element.firstChild instanceof Text) element.firstChild.data = wanted;
  else element.textContent = wanted;
}

export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/**
 * Makes the children of `parent` those of `items`, in order, and keeps the elements of items that stay. `makeOne()` makes
 * an element and `update(element, item)` fills it.
 */
export function list(parent, items, key, makeOne, update) {
  const known = (parent.known ??= new Map());
  const wanted = new Map();
  let place = parent.firstElementChild;
  items.forEach((item, index) => {
    const name = `${key(item, index)}`;
    const element = known.get(name) ?? makeOne(item);
    known.delete(name);
    wanted.set(name, element);
    update(element, item, index);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  });
  for (const element of known.values()) element.remove();
  parent.known = wanted;
}

/** Sets the width of a bar as a part of its box. */
export function fill(bar, part) {
  const width = `${Math.max(0, Math.min(1, part)) * 100}%`;
  if (bar.style.width !== width) bar.style.width = width;
}
