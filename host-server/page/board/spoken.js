// Moves in words, for screen readers.

import { t } from "../language/language.js";
import { roleName } from "./pieces.js";

/** The piece, where it comes from, whether it captures, where it goes, and what it becomes. */
const SAN = /^([KQRBN])?([a-h]?[1-8]?)(x)?([a-h][1-8])(?:=([QRBN]))?$/;

/**
 * A move in SAN as one says it: `Nxf3+` is "knight takes f3, check".
 *
 * @param {string} san
 */
export function spoken(san) {
  const move = withoutCheck(san.replace(/[+#]$/, ""));
  if (san.endsWith("#")) return t("spoken.checkmate", { move });
  return san.endsWith("+") ? t("spoken.check", { move }) : move;
}

/** @param {string} san */
function withoutCheck(san) {
  if (san === "O-O-O") return t("spoken.castles_queen_side");
  if (san === "O-O") return t("spoken.castles_king_side");
  const [, role = "P", from, takes, square = "", promotion] = SAN.exec(san) ?? [];
  if (!square) return san;
  const piece = [roleName(role), from].filter(Boolean).join(" ");
  const move = t(takes ? "spoken.takes" : "spoken.moves", { piece, square });
  return promotion ? t("spoken.promotes", { move, piece: roleName(promotion) }) : move;
}
