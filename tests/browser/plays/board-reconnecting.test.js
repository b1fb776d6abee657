// The page of the virtual board while the connection is lost.

import { play } from "../harness/play.js";
import { RELAY_DOWN } from "../harness/failures.js";
import { VirtualBoard } from "../harness/virtual-board.js";

play("the virtual board keeps its pieces and reconnects", async (env) => {
  const board = await VirtualBoard.open(env);
  await board.move("e2", "e4");
  await board.reads("Black to move");
  env.failures.expect(...RELAY_DOWN);
  await env.relay.kill();
  // A layout shift would be a failure.
  const lost = board.page.getByRole("alert").getByText("Connection to the board lost, reconnecting.");
  await lost.waitFor();
  await env.relay.restart();
  await lost.waitFor({ state: "hidden" });
  await board.sees("e4", "white pawn");
  await board.reads("Black to move");
  await board.move("e7", "e5");
  await board.reads("White to move");
});
