// The virtual board: pieces that hands move on a page, above a board that only feels which squares are occupied.

import { announce } from "../common/announce.js";
import { appearanceSwitch } from "../common/appearance.js";
import { find, set, write } from "../common/dom.js";
import { bringSprites } from "../common/sprites.js";
import { makeBoard } from "./board.js";
import { makeFingers } from "./fingers.js";
import { makeGlow } from "./glow.js";
import { makeHands } from "./hands.js";
import { listenToKeys } from "./keys.js";
import { openLine } from "./line.js";
import { makeMischief } from "./mischief.js";
import { makeReport } from "./report.js";
import { makeTray } from "./tray.js";
import { makeUnderneath } from "./underneath.js";

/** @typedef {import("./messages.js").BoardState} BoardState */

/** How long a complaint of the board stays, in milliseconds. */
const COMPLAINT = 4000;

bringSprites();
find("switches").append(appearanceSwitch());

const [plank, tray] = [find("plank"), find("tray")];
const glow = makeGlow(/** @type {HTMLCanvasElement} */ (find("glow")));
const board = makeBoard(find("frame"), plank);
const report = makeReport(find("report"));
const underneath = makeUnderneath(find("underneath"), glow);

let mayTouch = false;
let isThere = true;
let isChosen = false;
let said = "";
/** @type {number | undefined} */
let complaining;

const line = openLine({
  wood(wood) {
    board.show(wood);
    hands.show(wood);
    lying.show(wood.beside);
    fingers.place();
  },
  board: showState,
  reeds: underneath.reeds,
  settled: underneath.settled,
  lights(lights) {
    glow.show(lights);
    underneath.lights();
  },
  error(message) {
    clearTimeout(complaining);
    say(`The board says: ${message}.`);
    complaining = setTimeout(() => say(null), COMPLAINT);
  },
  line(connected) {
    isThere = connected;
    document.body.classList.toggle("away", !connected);
    say(null);
  },
});
const hands = makeHands(line, board);
const mischief = makeMischief(find("mischief"), line, () => {
  isChosen = true;
  turn(!board.isTurned);
});
const lying = makeTray(tray, hands, () => mayTouch);
const fingers = makeFingers({
  plank,
  tray,
  board,
  hands,
  slides: () => mischief.isSliding,
  mayTouch: () => mayTouch,
  intercepts: mischief.intercepts,
});
listenToKeys({ plank, board, hands, mayTouch: () => mayTouch, intercepts: mischief.intercepts, moved: fingers.place });

/** @param {boolean} turned */
function turn(turned) {
  board.turn(turned);
  glow.turn(turned);
  fingers.place();
}

/**
 * Says what is wrong: what the board complains about, or what lasts.
 *
 * @param {string | null} complaint
 */
function say(complaint) {
  const lasting = !isThere
    ? "The connection to the board is lost. It comes back by itself."
    : mayTouch || !document.body.dataset.known
      ? null
      : "You are watching. Only somebody at the machine of this board may touch its pieces.";
  const words = complaint ?? lasting;
  write(find("trouble"), words ?? "");
  set(find("trouble"), "hidden", words === null);
}

/** @param {BoardState} state */
function showState(state) {
  mayTouch = state.touch;
  document.body.dataset.known = "";
  document.body.classList.toggle("dead", !state.power);
  document.body.classList.toggle("watching", !state.touch);
  write(find("name"), `“${state.name}”`);
  const silent = state.power ? "Its lights are its only voice." : "It has no power. What stands on it stays, and its game is kept.";
  write(find("headline"), state.headline ?? (state.power ? "Ready" : "Dark"));
  const sentence = state.sentence ?? silent;
  if (sentence !== said) announce(sentence);
  said = sentence;
  write(find("sentence"), sentence);
  write(find("mistaken"), state.mistaken ?? "");
  set(find("mistaken"), "hidden", state.mistaken === null);
  board.mark(state.weak);
  report.show(state);
  mischief.show(state);
  // Who plays Black sits on the other side, unless somebody has turned the board by hand.
  if (!isChosen) turn(state.seat === "black");
  say(null);
}
