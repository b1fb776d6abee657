// The firmware in an emulator plays by three rule scripts against the page: guided set-up, slides, castling, captures beside the target, and
// power cuts.

import { Emulator } from "../harness/emulator.js";
import { orderGame, rulesPlayer } from "../harness/order.js";
import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

const FILES = [..."abcdefgh"];

/** @param {readonly number[]} ranks */
const rows = (ranks) => FILES.flatMap((file) => ranks.map((rank) => `${file}${rank}`));

/** The dark squares of three rows on each side. */
const CHECKERS = rows([1, 2, 3, 6, 7, 8]).filter((square) => (square.charCodeAt(0) - 97 + Number(square[1]) - 1) % 2 === 0);

/**
 * Sets the board up as its lights say: pieces on squares that must be empty go to squares where one is missing, or off the board.
 *
 * @param {VirtualBoard} board
 * @param {readonly string[]} wanted
 */
async function setUp(board, wanted) {
  const standing = await board.standing();
  const isOccupied = (/** @type {string} */ square) => standing.get(square) !== "empty";
  const missing = wanted.filter((square) => !isOccupied(square));
  const extra = [...standing.keys()].filter((square) => isOccupied(square) && !wanted.includes(square));
  if (missing.length + extra.length === 0) return;
  const [first] = [...extra, ...missing];
  if (first) await board.lightsUp([first]);
  for (const square of extra) {
    const target = missing.shift();
    if (target) await board.move(square, target);
    else await board.takeOff(square);
  }
  for (const square of missing) await board.place(Number(square[1]) > 4 ? "black pawn" : "white pawn", square);
}

/**
 * The emulated board and Ben at the page.
 *
 * @typedef {object} Table
 * @property {VirtualBoard} board
 * @property {import("../harness/player.js").Player} ben
 * @property {() => Promise<void>} powerCut
 * @property {(from: string, to: string) => Promise<void>} answer Ben plays on the page, and the hand repeats it when the lights show it
 */

/**
 * @param {string} title
 * @param {(table: Table) => Promise<void>} run
 */
function playEmulated(title, run) {
  play(title, async (env) => {
    const emulator = await Emulator.start();
    try {
      const board = new VirtualBoard(await env.window({ baseURL: emulator.panel }));
      await board.page.goto("/board");
      await board.page.getByText("Firmware in an emulator").waitFor();
      const ben = await rulesPlayer(env, emulator.relay);
      const powerCut = async () => {
        await board.button("Pull the power plug").click();
        await ben.page.getByText("board offline").waitFor({ timeout: 60_000 });
        await board.button("Plug the power in").click();
        await ben.page.getByText("board offline").waitFor({ state: "hidden", timeout: 60_000 });
      };
      const answer = async (/** @type {string} */ from, /** @type {string} */ to) => {
        await ben.mayMove();
        await ben.click(from, to);
        await board.shows({ [from]: "blue", [to]: "blue" });
        await board.move(from, to);
        await board.settles(to, "occupied");
      };
      await run({ board, ben, powerCut, answer });
      for (const { page } of [board, ben]) await page.close();
    } catch (error) {
      process.stderr.write(`${emulator.log.slice(-40).join("\n")}\n`);
      throw error;
    } finally {
      await emulator.discard();
    }
  });
}

playEmulated("the emulated firmware plays breakthrough", async ({ board, ben, powerCut, answer }) => {
  await orderGame(ben, { script: "breakthrough", board: "emulated", clock: "10+5" });
  await board.accept("e1");
  await ben.sees("Waiting for emulated");
  await board.lift("d2");
  await board.shows({ c3: "blue", d3: "blue", e3: "blue" });
  await board.drop("d3");
  await ben.mayMove();
  await ben.seesOn("d3", "white pawn, last move");
  await answer("e7", "e6");
  await board.slide("d3", "d4");
  await ben.mayMove();
  await ben.click("e6", "e5");
  await board.shows({ e6: "blue", e5: "blue" });
  await powerCut();
  await board.shows({ e6: "blue", e5: "blue" });
  await board.move("e6", "e5");
  // A capture: the captured piece first.
  await board.settles("e5", "occupied");
  await board.takeOff("e5");
  await board.settles("e5", "empty");
  await board.move("d4", "e5");
  await ben.mayMove();
  await ben.seesOn("e5", "white pawn, last move");
});

playEmulated("the emulated firmware plays chess by a script", async ({ board, ben, powerCut, answer }) => {
  await orderGame(ben, { script: "chess", board: "emulated" });
  await board.accept("e1");
  await ben.sees("Waiting for emulated");
  await board.move("e2", "e4");
  await ben.mayMove();
  await answer("a7", "a6");
  await board.move("g1", "f3");
  await ben.mayMove();
  await answer("a6", "a5");
  await board.slide("f1", "b5");
  await ben.mayMove();
  await ben.seesOn("b5", "white bishop, last move");
  await answer("a5", "a4");
  await powerCut();
  // Two pieces move in one turn, the king first.
  await board.lift("e1");
  await board.shows({ g1: "blue", e2: "blue", f1: "blue" });
  await board.drop("g1");
  await board.shows({ h1: "white", f1: "white" });
  await board.move("h1", "f1");
  await ben.mayMove();
  await ben.seesOn("g1", "white king, last move");
  await ben.seesOn("f1", "white rook");
});

playEmulated("the emulated firmware plays checkers, whose men stand on other squares", async ({ board, ben, powerCut, answer }) => {
  await orderGame(ben, { script: "checkers", board: "emulated" });
  await board.accept("e1");
  await setUp(board, CHECKERS);
  await ben.sees("Waiting for emulated");
  await board.move("c3", "d4");
  await ben.mayMove();
  await answer("b6", "c5");
  // The man jumps to b6, and the piece beside its target leaves the board.
  await board.lift("d4");
  await board.shows({ b6: "blue" });
  await board.drop("b6");
  await board.shows({ c5: "white" });
  await board.takeOff("c5");
  await ben.mayMove();
  await ben.seesOn("b6", "white pawn, last move");
  await ben.seesOn("c5", "empty");
  await ben.click("a7", "c5");
  await board.shows({ a7: "blue", c5: "blue" });
  await powerCut();
  await board.takeOff("b6");
  await board.move("a7", "c5");
  await board.isDark("blue", "green", "orange");
});
