// Challenges of the virtual board, which its player accepts or declines with a king.

import { challenge } from "../harness/challenger.js";
import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("a challenge has a clock and a colour, and the board accepts it with the king of the offered side", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenge(env, { color: "White", clock: "5+3" });
  await board.reads(/^Ben challenges you, 5\+3: you would play Black\./);
  await board.shows({ e1: "yellow", e8: "yellow", a8: "white", h7: "white" });

  // A piece that is only straightened is no answer.
  await board.touch("d8");
  await board.reads(/^Ben challenges you/);
  await board.lift("e8");
  await board.reads("Put the king back on e8 to accept the challenge.");
  await board.drop("e8");
  await ben.mayMove();
  await ben.page.getByText("5+3").first().waitFor();
  await ben.click("e2", "e4");
  await board.reads("from e2 to e4");
});

play("a declined challenge is announced, and the challenger can go back to the lobby", async (env) => {
  const board = await VirtualBoard.open(env);
  const ben = await challenge(env, { color: "Black", clock: "No clock" });
  await board.reads(/you would play White\./);
  await board.move("d2", "d4");
  await board.reads("Black to move");
  await ben.page.getByRole("region", { name: "Challenge" }).getByText("virtual has declined the challenge.").waitFor();
  await ben.page.getByRole("link", { name: "Back to the lobby" }).click();
  await ben.page.getByRole("heading", { name: "Play chess across any distance" }).waitFor();
});
