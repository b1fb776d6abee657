// The firmware in an emulator plays a whole game of GMO chess against the page. It evaluates the DNA itself: a mutation, a promotion and
// freezes.

import assert from "node:assert/strict";

import { Emulator } from "../harness/emulator.js";
import { chooseBoard, rulesPlayer } from "../harness/order.js";
import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

/** A knight whose DNA changes with every move. */
const MUTATING_KNIGHT = "AHHHACHCCHHHCHACHAHHACACSASAACACA";

/**
 * Stores the usual pieces with the knight that mutates, and returns the hash of the preset.
 *
 * @param {string} relay
 */
async function storePreset(relay) {
  const post = async (/** @type {string} */ path, /** @type {object} */ body) => {
    const answer = await fetch(new URL(path, relay), { method: "POST", body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.clone().text());
    return /** @type {{ hash: string }} */ (await answer.json()).hash;
  };
  const knight = await post("/lab/genome", { dna: MUTATING_KNIGHT });
  return post("/lab/preset", { pieces: ["veza", knight, "strelec", "kral", "kralovna", "strelec", "kon", "veza"] });
}

play("the emulated firmware plays a whole game of GMO chess against the page", async (env) => {
  const emulator = await Emulator.start();
  try {
    const board = new VirtualBoard(await env.window({ baseURL: emulator.panel }));
    await board.page.goto("/board");
    await board.page.getByText("Firmware in an emulator").waitFor();
    const ben = await rulesPlayer(env, emulator.relay);
    await ben.page.goto(`/lab?preset=${await storePreset(emulator.relay)}`);
    await ben.page.getByLabel("Your name").fill("Ben");
    await ben.page.getByLabel("You play").selectOption("black");
    await chooseBoard(ben.page, "emulated");
    await ben.button("Create game").click();
    await ben.page.waitForURL(/\/g\//);
    await board.accept("e1");
    await ben.sees("Waiting for emulated");

    const frozen = ben.page.getByRole("timer", { name: "The game is frozen" });
    /** Ben plays on the page, and the hand repeats it when the lights show it. */
    const answer = async (/** @type {string} */ from, /** @type {string} */ to) => {
      await ben.mayMove();
      await frozen.waitFor({ state: "hidden" });
      await ben.click(from, to);
      await board.shows({ [from]: "blue", [to]: "blue" });
      await board.move(from, to);
      await board.settles(to, "occupied");
    };
    const capture = async (/** @type {string} */ from, /** @type {string} */ to) => {
      await board.takeOff(to);
      await board.settles(to, "empty");
      await board.move(from, to);
    };

    // The knight mutates, which both sides show.
    await board.lift("b1");
    await board.shows({ a3: "blue", c3: "blue" });
    await board.drop("c3");
    await ben.seesOn("c3", "mutant");
    await board.shows({ c3: "magenta" });
    await answer("h7", "h6");

    // A pawn walks to the last rank, and the power is cut before it becomes a queen.
    for (const [own, theirs] of /** @type {[[string, string], [string, string]][]} */ ([
      [["a2", "a3"], ["h6", "h5"]],
      [["a3", "a4"], ["h5", "h4"]],
      [["a4", "a5"], ["h4", "h3"]],
      [["a5", "a6"], ["g7", "g6"]],
    ])) {
      await board.move(...own);
      await answer(...theirs);
    }
    await capture("a6", "b7");
    await answer("g6", "g5");
    await capture("b7", "a8");
    await ben.seesOn("a8", "white pawn");
    await board.lightsUp(["a8", "a4"]);
    await board.button("Pull the power plug").click();
    await ben.page.getByText("board offline").waitFor({ timeout: 60_000 });
    await board.button("Plug the power in").click();
    await ben.page.getByText("board offline").waitFor({ state: "hidden", timeout: 60_000 });
    // The fifth square stands for the queen. The pawn itself taps it.
    await board.lightsUp(["a8", "a4"]);
    await board.move("a8", "a4");
    await board.settles("a4", "occupied");
    // A piece that only passes a square chooses nothing.
    await board.page.waitForTimeout(400);
    await board.move("a4", "a8");
    await ben.seesOn("a8", "white queen");
    await answer("g5", "g4");

    // The queen freezes: the king of the side that waits glows, and the page says it.
    await capture("a8", "b8");
    await frozen.waitFor();
    await board.shows({ d8: "blue" });
    await ben.seesOn("b8", "white queen");
    await answer("f7", "f6");
    await capture("b8", "c8");
    await frozen.waitFor();
    await answer("f6", "f5");
    // It takes the king.
    await capture("c8", "d8");
    await ben.sees(/^You lost/);
    await board.shows({ d1: "amber" });
    for (const { page } of [board, ben]) await page.close();
  } catch (error) {
    process.stderr.write(`${emulator.log.slice(-40).join("\n")}\n`);
    throw error;
  } finally {
    await emulator.discard();
  }
});
