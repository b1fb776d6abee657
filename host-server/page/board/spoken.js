// Moves in words.

import { NAMES } from "./squares.js";

/**
 * A move as one says it: `Nxf3+` is "knight takes f3, check".
 *
 * @param {string} san
 */
export function spoken(san) {
  const end = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const bare = san.replace(/[+#]$/, "");
  if (bare === "O-O-O") return `castles queen side${end}`;
  if (bare === "O-O") return `castles king side${end}`;
  const [way = "", promotion] = bare.split("=");
  const role = /^[KQRBN]/.test(way) ? way[0] : undefined;
  const name = role ? NAMES[/** @type {keyof typeof NAMES} */ (role.toLowerCase())] : "pawn";
  const rest = (role ? way.slice(1) : way).replace("x", " takes ").replace(/^ /, "");
  const becomes = promotion ? `, becomes a ${NAMES[/** @type {keyof typeof NAMES} */ (promotion.toLowerCase())]}` : "";
  return `${name} ${rest}${becomes}${end}`.replace(/ +/g, " ");
}
