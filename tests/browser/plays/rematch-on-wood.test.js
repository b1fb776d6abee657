// Another game between the page and the wooden board, with the colours changed.

import { play } from "../harness/play.js";
import { challenger, movePawns } from "../harness/challenge.js";
import { Wood } from "../harness/wood.js";

play("the board sets up for another game, and plays it with the other colour", async (stage) => {
  const wood = await Wood.open(stage);
  const ben = await challenger(stage);
  await movePawns(wood, ben);
  await wood.carry("g1", "f3");
  await ben.mayMove();
  await ben.button("Resign").click();
  await ben.page.getByRole("dialog", { name: "Resign this game?" }).getByRole("button", { name: "Resign" }).click();
  await ben.sees("You lost by resignation.");
  await wood.reads("1-0: White wins by resignation");

  // Ben asks, and whoever sits at the board answers by putting the pieces where a game begins.
  await wood.reads("Set up all pieces, and the next one begins.");
  await ben.button("Play again").click();
  await ben.button("Waiting …").waitFor();
  for (const [from, to, piece] of /** @type {const} */ ([
    ["f3", "g1", "white knight"],
    ["e5", "e7", "black pawn"],
    ["e4", "e2", "white pawn"],
  ])) {
    await wood.carry(from, to);
    await wood.sees(to, piece);
  }
  await ben.sees("Your move");
  await ben.page.getByText("Game 2").waitFor();
  await ben.seesOn("e1", "white king");
  await ben.page.getByRole("grid", { name: "Chessboard, White below" }).waitFor();
  await wood.reads("White to move");

  // Now the board has Black.
  await ben.page.getByRole("group", { name: "Black: virtual" }).getByText("on a wooden board").waitFor();
  await ben.page.getByRole("group", { name: "White: Ben" }).getByText(/wooden board|by hand/).waitFor({ state: "hidden" });
  await ben.click("d2", "d4");
  await wood.reads("from d2 to d4");
  await wood.shines({ d2: "blue", d4: "blue" });
  await wood.carry("d2", "d4");
  await wood.reads("Black to move");
  await wood.carry("d7", "d5");
  await ben.mayMove();
  await ben.seesOn("d5", "black pawn, last move");
});
