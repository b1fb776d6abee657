// The two sides.

import { t } from "../language/language.js";

/** @typedef {"white" | "black"} Color */

/** @param {Color} color */
export const other = (color) => (color === "white" ? "black" : "white");

/** @param {Color} color */
export const colorName = (color) => t(color === "white" ? "noun.white" : "noun.black");
