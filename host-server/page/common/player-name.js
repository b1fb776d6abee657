// The names of players. The relay has an English one for its own computer.

import { t } from "../language/language.js";

/**
 * The name in the language of the user.
 *
 * @param {string} name
 */
export function playerName(name) {
  const level = /^Tabiya level (\d+)$/.exec(name)?.[1];
  return level ? t("computer.name", { level }) : name;
}
