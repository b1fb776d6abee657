// The firmware in an emulator, with its pieces on a page.

import { challenger } from "../harness/challenger.js";
import { Emulator } from "../harness/emulator.js";
import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("emulated firmware reads moves on the page and answers with lights", async (env) => {
  const emulator = await Emulator.start();
  try {
    const board = new VirtualBoard(await env.window({ baseURL: emulator.panel }));
    await board.page.goto("/board");
    await board.page.getByText("Firmware in an emulator").waitFor();
    // The board is in the lobby as soon as it is connected to its relay.
    const ben = await challenger(env, { relay: emulator.relay });
    await ben.sees("Waiting for emulated");
    await ben.page.getByText("on a wooden board").waitFor();

    await board.lift("e2");
    await board.shows({ e2: "white" });
    await ben.seesOn("e2", "in the opponent's hand");
    const { x, y } = await board.middle("e4");
    await board.page.mouse.move(x, y, { steps: 4 });
    await board.page.mouse.up();
    await ben.mayMove();
    await ben.seesOn("e4", "white pawn, last move");

    await ben.click("e7", "e5");
    await board.shows({ e7: "blue", e5: "blue" });
    await board.move("e7", "e5");
    await ben.page.getByText("on a wooden board").waitFor();
    await board.isDark("blue");
    await board.move("g1", "f3");
    await ben.mayMove();
    await ben.seesOn("f3", "white knight, last move");

    // The plugs are those of the emulated machine, and the game is in its journal.
    await board.button("Pull the network plug").click();
    await ben.page.getByText("board offline").waitFor({ timeout: 60_000 });
    await board.button("Plug the network in").click();
    await ben.page.getByText("on a wooden board").waitFor({ timeout: 60_000 });
    await ben.type("Nc6");
    await board.shows({ b8: "blue", c6: "blue" });
    // Closed pages log no failures when the emulator is killed.
    for (const { page } of [board, ben]) await page.close();
  } catch (error) {
    process.stderr.write(`${emulator.log.slice(-40).join("\n")}\n`);
    throw error;
  } finally {
    await emulator.discard();
  }
});
