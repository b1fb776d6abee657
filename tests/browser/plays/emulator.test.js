// The firmware itself, in an emulator, under pieces on a page.

import { challenger } from "../harness/challenge.js";
import { Emulator } from "../harness/emulator.js";
import { play } from "../harness/play.js";
import { Wood } from "../harness/wood.js";

play("hands on a page move pieces on the firmware's wood, and its lights answer", async (stage) => {
  const emulator = await Emulator.start();
  try {
    const wood = new Wood(await stage.window({ baseURL: emulator.panel }));
    await wood.page.goto("/board");
    await wood.page.getByText("Firmware in an emulator").waitFor();
    // The board has its place as soon as it has found its relay.
    const ben = await challenger(stage, emulator.relay);
    await ben.sees("Waiting for emulated");
    await ben.page.getByText("on a wooden board").waitFor();

    await wood.grasp("e2");
    await wood.shines({ e2: "white" });
    await ben.seesOn("e2", "in the opponent's hand");
    const { x, y } = await wood.middle("e4");
    await wood.page.mouse.move(x, y, { steps: 4 });
    await wood.page.mouse.up();
    await ben.mayMove();
    await ben.seesOn("e4", "white pawn, last move");

    await ben.click("e7", "e5");
    await wood.shines({ e7: "blue", e5: "blue" });
    await wood.carry("e7", "e5");
    await ben.page.getByText("on a wooden board").waitFor();
    await wood.isDark("blue");
    await wood.carry("g1", "f3");
    await ben.mayMove();
    await ben.seesOn("f3", "white knight, last move");

    // Its plugs are those of the emulated machine. The game is in its journal.
    await wood.button("Pull the network plug").click();
    await ben.page.getByText("the board is away").waitFor({ timeout: 60_000 });
    await wood.button("Plug the network in").click();
    await ben.page.getByText("on a wooden board").waitFor({ timeout: 60_000 });
    await ben.type("Nc6");
    await wood.shines({ b8: "blue", c6: "blue" });
    // Nobody looks any more when the plugs are pulled.
    for (const { page } of [wood, ben]) await page.close();
  } catch (error) {
    process.stderr.write(`${emulator.log.slice(-40).join("\n")}\n`);
    throw error;
  } finally {
    await emulator.discard();
  }
});
