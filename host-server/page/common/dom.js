// Building and changing elements. Text from other people becomes text nodes, never markup.

import { playerName } from "./player-name.js";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute
 */

/**
 * Builds an element. An attribute that begins with `on` is an event listener; `true` sets an attribute without a value; `false`,
 * `null` and `undefined` set none.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    set(element, name, value);
  }
  fill(element, ...children);
  return element;
}

/**
 * Sets or removes an attribute, if that changes anything.
 *
 * @param {Element} element
 * @param {string} name
 * @param {Attribute} value
 */
export function set(element, name, value) {
  if (typeof value === "function") {
    element.addEventListener(name.slice(2), value);
  } else if (value === true) {
    if (!element.hasAttribute(name)) element.setAttribute(name, "");
  } else if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, String(value));
  }
}

/**
 * Replaces the children of an element.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const kept = children.filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(...kept.map((child) => (child instanceof Node ? child : String(child))));
}

/**
 * Sets the text of an element, if it differs.
 *
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A name that a person has chosen, or that of a computer, isolated so that its writing direction does not affect the text around it.
 *
 * @param {string} text
 * @param {string} [className]
 */
export function nameText(text, className) {
  return make("bdi", { class: className, dir: "auto" }, playerName(text));
}

/**
 * A drawing from the sprites that sprites.js loads.
 *
 * @param {string} id
 * @param {string} [className]
 */
export function picture(id, className) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${id}`);
  svg.append(use);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", className ?? "icon");
  return svg;
}

/**
 * The element with this id. It is a bug if the document has none.
 *
 * @param {string} id
 */
export function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the document has no #${id}`);
  return element;
}
