// The names of genomes: those of the original game have the names of chess pieces, and others their hash.

import { t } from "../language/language.js";

/** @type {Record<string, "p" | "n" | "b" | "r" | "q" | "k">} roles by the relay's names */
export const ROLES = { pawn: "p", knight: "n", bishop: "b", rook: "r", queen: "q", king: "k" };

/** @param {{ hash: string, name: string | null }} genome */
export function genomeName({ hash, name }) {
  const role = ROLES[name ?? ""];
  return role ? t(`role.${role}`) : hash;
}
