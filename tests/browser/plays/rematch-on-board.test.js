// The next game on the virtual board: a rematch, or two players at the board.

import { play } from "../harness/play.js";
import { challenger, movePawns } from "../harness/challenger.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("setting up the pieces accepts a rematch, and the board plays the other colour", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenger(env, { board });
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
  await board.reads("The opponent offers a rematch: set up all pieces to accept.");
  await board.shows({ e1: "blue", e8: "blue" });
  for (const [from, to, piece] of /** @type {const} */ ([
    ["f3", "g1", "white knight"],
    ["e5", "e7", "black pawn"],
    ["e4", "e2", "white pawn"],
  ])) {
    await board.move(from, to);
    await board.sees(to, piece);
    // The lights show which pieces are still missing.
    if (to === "g1") await board.shows({ e2: "green", e4: "orange", e5: "orange", e7: "green" });
  }
  // The board plays Black now, and its own pieces are lit.
  await board.shows({ a8: "white", h7: "white" });
  await board.reads("A new game: you play Black.");
  await ben.sees("Your move");
  await ben.page.getByText("Game 2").waitFor();
  await ben.seesOn("e1", "white king");
  await ben.page.getByRole("grid", { name: "Chessboard, White below" }).waitFor();
  await board.reads("White to move");

  await ben.page.getByRole("group", { name: "Black: virtual" }).getByText("on a wooden board").waitFor();
  await ben.page.getByRole("group", { name: "White: Ben" }).getByText(/wooden board|by hand/).waitFor({ state: "hidden" });
  await board.move("d2", "d4");
  await board.reads("You play Black: put the piece on d4 back on d2.");
  await board.shows({ d2: "blue", d4: "blue", e8: "white" });
  await board.move("d4", "d2");
  await board.reads("The pieces match the game.");
  await ben.click("d2", "d4");
  await board.reads("from d2 to d4");
  await board.shows({ d2: "blue", d4: "blue" });
  await board.move("d2", "d4");
  await board.reads("Black to move");
  await board.move("d7", "d5");
  await ben.mayMove();
  await ben.seesOn("d5", "black pawn, last move");
});

play("after a game without moves the board is ready for the next one", async (env) => {
  const board = await VirtualBoard.open(env);

  // Two players agree a draw before the first move.
  await board.move("e1", "e4");
  await board.move("e8", "e5");
  await board.reads("1/2-1/2: draw by agreement");
  await board.move("e4", "e1");
  await board.move("e5", "e8");
  await board.reads("White to move");
  await board.move("d2", "d4");
  await board.reads("Black to move");
  await board.button("Set up the pieces").click();
  await board.reads("White to move");

  // A challenger aborts, and no piece is touched.
  const ben = await challenger(env, { board });
  await ben.button("Abort").click();
  await ben.sees("Game aborted");
  await board.reads("White to move");
  await board.page.getByText("Ben", { exact: true }).waitFor({ state: "hidden" });
  await board.move("d2", "d4");
  await board.reads("Black to move");
  await board.move("d7", "d5");
  await board.reads("White to move");
});
