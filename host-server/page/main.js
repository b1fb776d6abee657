// The entry point of the lobby and of games: the address decides which of them is shown.

import { ClockScreen } from "./clock/clock-screen.js";
import { AppearanceSwitch } from "./common/appearance.js";
import { find, write } from "./common/dom.js";
import { recall } from "./common/memory.js";
import { SoundSwitch } from "./common/sound.js";
import { loadSprites } from "./common/sprites.js";
import { JoinForm } from "./game/join.js";
import { GameScreen } from "./game/screen.js";
import { loadTexts, t } from "./language/language.js";
import { LanguageSwitch } from "./language/switch.js";
import { challengeBoard, challengedBoard } from "./lobby/challenge.js";
import { Lobby } from "./lobby/lobby.js";
import { readTable } from "./relay/http.js";
import { findSeat } from "./relay/seat.js";

loadSprites();
await loadTexts();
find("switches").append(new LanguageSwitch().root, new SoundSwitch().root, new AppearanceSwitch().root);
const main = find("main");

/** The first characters of a code, which lead to a game until it begins. */
const SHORT_CODE = /^[2-9A-HJ-NP-Z]{6}$/i;

async function begin() {
  let code = /^\/g\/([A-Za-z0-9_]{1,32})\/?$/.exec(location.pathname)?.[1];
  if (!code) return main.replaceChildren(new Lobby().root);
  if (SHORT_CODE.test(code)) code = await fullCode(code);
  main.dataset.view = "game";
  const query = new URLSearchParams(location.search);
  const name = recall("local", "name") ?? t("noun.guest");
  if (query.has("clock")) {
    main.dataset.view = "clock";
    return main.replaceChildren(new ClockScreen(code, name).root);
  }
  const game = Number(query.get("game"));
  if (game > 0) {
    const room = query.get("room");
    return enter(code, { token: null, name, watch: true, game, ...(room && { room }) });
  }
  if (query.has("watch")) return enter(code, { token: null, name, watch: true });
  const token = await findSeat(code);
  if (token) return enter(code, { token, name, watch: false });
  // Another window of the challenger has the seat: the free one is that of the board.
  if (challengedBoard(code)) return enter(code, { token: null, name, watch: true });
  let isUnknown = false;
  const found = await readTable(code).catch((error) => {
    isUnknown = error.status === 404;
    return null;
  });
  // Finished games are shown, and the screen of the game explains unknown codes. If the relay did not answer, it decides when the visitor enters.
  if (isUnknown || (found && !("board" in found) && isFinished(found))) return enter(code, { token: null, name, watch: true });
  main.dataset.view = "join";
  const form = new JoinForm(code, found, (answer) => {
    if (found && "board" in found && found.asks && !answer.watch) {
      return void challengeBoard(found, code, answer.name).catch((error) => write(form.wrong, error.message));
    }
    main.dataset.view = "game";
    enter(code, { token: null, ...answer });
  });
  main.replaceChildren(form.root);
}

/**
 * The code of a game that was found by its first characters. The address becomes the permanent one.
 *
 * @param {string} short
 */
async function fullCode(short) {
  const found = await readTable(short).catch(() => null);
  if (!found || "board" in found || !found.code) return short;
  history.replaceState(null, "", `/g/${found.code}${location.search}`);
  return found.code;
}

/**
 * Whether there is nothing left but to look at what was played.
 *
 * @param {import("./relay/http.js").Table} table
 */
function isFinished({ phase, games }) {
  return games > 0 && (phase === "over" || phase === "closed");
}

/**
 * @param {string} code
 * @param {import("./relay/game-connection.js").Participant} participant
 */
function enter(code, participant) {
  main.replaceChildren(new GameScreen(code, participant).root);
}

begin();
