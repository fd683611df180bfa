// The few ways in which this page touches the document. Texts come from other people, so nothing here parses markup.

export const find = (id) => document.getElementById(id);

// Makes an element such as "p.note". Among its children may be attributes, as an object.
export function make(what, ...children) {
  const [tag, kind] = what.split(".");
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  for (const child of children) {
    if (typeof child === "string" || child instanceof Node) element.append(child);
    else for (const [key, value] of Object.entries(child)) element.setAttribute(key, value);
  }
  return element;
}

// Makes an element of a drawing.
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Sets a text in place: a new text node would flicker, and lose the reader's selection.
export function say(element, text) {
  const wanted = text ?? "";
  if (element.textContent === wanted) return;
  if (element.firstChild instanceof Text) element.firstChild.data = wanted;
  else element.textContent = wanted;
}

export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

// Sets a text, and hides the element if there is none.
export function sayOrHide(element, text) {
  say(element, text);
  show(element, Boolean(text));
}

// Makes the children of `parent` those of `items`, in order, and keeps the elements of items that stay. `makeOne()` makes
// an element and `update(element, item)` fills it.
export function list(parent, items, key, makeOne, update) {
  const known = (parent.known ??= new Map());
  const wanted = new Map();
  let place = parent.firstElementChild;
  items.forEach((item, index) => {
    let name = `${key(item, index)}`;
    // Two items with one key would leave an element behind at every call.
    while (wanted.has(name)) name += " ";
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

// Sets the width of a bar as a part of its box.
export function fill(bar, part) {
  bar.style.width = `${Math.max(0, Math.min(1, part)) * 100}%`;
}
