// The page of the virtual board while the board is away.

import { play } from "../harness/play.js";
import { RELAY_AWAY } from "../harness/troubles.js";
import { Wood } from "../harness/wood.js";

play("the wood stays where it is when its board is away, and comes back by itself", async (stage) => {
  const wood = await Wood.open(stage);
  await wood.carry("e2", "e4");
  await wood.reads("Black to move");
  stage.troubles.expect(...RELAY_AWAY);
  await stage.relay.kill();
  // Whatever jumps about now is a trouble.
  const lost = wood.page.getByRole("alert").getByText("The connection to the board is lost.");
  await lost.waitFor();
  await stage.relay.restart();
  await lost.waitFor({ state: "hidden" });
  await wood.sees("e4", "white pawn");
  await wood.reads("Black to move");
  await wood.carry("e7", "e5");
  await wood.reads("White to move");
});
