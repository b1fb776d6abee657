// Every two kinds of clients play a game with each other on one relay.

import { GAME, PAIRS, contest } from "../harness/contest.js";
import { play } from "../harness/play.js";

for (const pair of PAIRS) {
  play(`${pair.join(" against ")}, on one relay`, async ({ relay, window }) => {
    await contest(GAME, window, [relay], pair, ["--data", `${relay.folder}/data`], async () => {
      await relay.restart();
      return relay;
    });
  });
}
