// The drawings of pieces.

import { picture } from "../common/dom.js";
import { NO_KINDS, colorOf } from "./pieces.js";

/**
 * A drawing from art/pieces.svg. A piece of other rules is drawn as the piece of chess that the relay names, or as its letter.
 *
 * @param {string} piece
 * @param {string} className
 * @param {import("./pieces.js").Kinds} kinds
 */
export function drawPiece(piece, className, kinds = NO_KINDS) {
  const kind = kinds[piece];
  const side = colorOf(piece, kinds) === "white" ? "w" : "b";
  const symbol = kind ? kind.drawing : piece;
  const drawing = symbol ? picture(`${side}${symbol.toLowerCase()}`, className) : letter(piece, side, className);
  // It has the shape of the symbol where a style sheet sets only one side.
  drawing.setAttribute("viewBox", "0 0 100 100");
  drawing.dataset.piece = piece;
  return drawing;
}

/**
 * A disc with a letter.
 *
 * @param {string} piece
 * @param {string} side
 * @param {string} className
 */
function letter(piece, side, className) {
  const SVG = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `${className} lettered`);
  svg.dataset.side = side;
  const disc = document.createElementNS(SVG, "circle");
  for (const [name, value] of [["cx", 50], ["cy", 50], ["r", 38]]) disc.setAttribute(String(name), String(value));
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of [["x", 50], ["y", 52]]) text.setAttribute(String(name), String(value));
  text.textContent = piece.toUpperCase();
  svg.append(disc, text);
  return svg;
}
