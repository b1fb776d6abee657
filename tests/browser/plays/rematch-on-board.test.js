// A rematch between the page and the virtual board.

import { play } from "../harness/play.js";
import { challenger, movePawns } from "../harness/challenger.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("setting up the pieces accepts a rematch, and the board plays the other colour", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env);
  await movePawns(board, ben);
  await board.move("g1", "f3");
  await ben.mayMove();
  await ben.button("Resign").click();
  await ben.page.getByRole("dialog", { name: "Resign this game?" }).getByRole("button", { name: "Resign" }).click();
  await ben.sees("You lost by resignation.");
  await board.reads("1-0: White wins by resignation");

  // Setting up the pieces on the board accepts the offer.
  await board.reads("Set up all pieces, and the next one begins.");
  await ben.button("Rematch").click();
  await ben.button("Withdraw rematch offer").waitFor();
  for (const [from, to, piece] of /** @type {const} */ ([
    ["f3", "g1", "white knight"],
    ["e5", "e7", "black pawn"],
    ["e4", "e2", "white pawn"],
  ])) {
    await board.move(from, to);
    await board.sees(to, piece);
  }
  await ben.sees("Your move");
  await ben.page.getByText("Game 2").waitFor();
  await ben.seesOn("e1", "white king");
  await ben.page.getByRole("grid", { name: "Chessboard, White below" }).waitFor();
  await board.reads("White to move");

  // The board plays Black now.
  await ben.page.getByRole("group", { name: "Black: virtual" }).getByText("on a wooden board").waitFor();
  await ben.page.getByRole("group", { name: "White: Ben" }).getByText(/wooden board|by hand/).waitFor({ state: "hidden" });
  await ben.click("d2", "d4");
  await board.reads("from d2 to d4");
  await board.shows({ d2: "blue", d4: "blue" });
  await board.move("d2", "d4");
  await board.reads("Black to move");
  await board.move("d7", "d5");
  await ben.mayMove();
  await ben.seesOn("d5", "black pawn, last move");
});
