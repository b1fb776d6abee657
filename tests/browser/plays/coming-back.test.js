// What is known to whoever comes back, and of whom others learn that they are away.

import { Cable } from "../harness/cable.js";
import { challenger } from "../harness/challenge.js";
import { play } from "../harness/play.js";
import { Player, twoPlayers } from "../harness/player.js";
import { RELAY_AWAY } from "../harness/troubles.js";
import { Wood } from "../harness/wood.js";

/** Nobody is missed before the relay has asked for fifteen seconds. */
const MISSED_MS = 60_000;

play("who comes back sees at once how many watch", async (stage) => {
  const { anna, code } = await twoPlayers(stage);
  const sam = new Player(await stage.window());
  await sam.page.goto(`/g/${code}?watch`);
  await sam.page.getByText("You are watching").waitFor();
  await anna.page.getByText("1 watching").waitFor();
  await anna.page.reload();
  await anna.mayMove();
  // Nothing has changed since, so nobody says it again.
  await anna.page.getByText("1 watching").waitFor();
});

play("a board whose network plug is pulled is missed, and is back when it is in", async (stage) => {
  const wood = await Wood.open(stage);
  const ben = await challenger(stage);
  await wood.carry("e2", "e4");
  await ben.mayMove();
  await wood.button("Pull the network plug").click();
  await ben.page.getByText("the board is away").waitFor({ timeout: MISSED_MS });
  await ben.spoken("has lost the connection");
  await ben.type("e5");
  await wood.button("Plug the network in").click();
  await wood.reads("from e7 to e5");
  await wood.carry("e7", "e5");
  await ben.page.getByText("on a wooden board").waitFor({ timeout: MISSED_MS });
});

play("a player whose cable is pulled is missed, and is back when it is in", async (stage) => {
  const cable = await Cable.to(stage.relay.url);
  try {
    const [anna, ben] = [new Player(await stage.window()), new Player(await stage.window({ baseURL: cable.url }))];
    await ben.join(await anna.create());
    await anna.type("e4");
    await ben.mayMove();
    stage.troubles.expect(...RELAY_AWAY, /ERR_TIMED_OUT/);
    cable.pull();
    const away = anna.page.getByRole("group", { name: "Black: Ben" }).getByText(/^away, has \d+ s to come back$/);
    await away.waitFor({ timeout: MISSED_MS });
    await anna.spoken("Ben has lost the connection.");
    cable.plug();
    await away.waitFor({ state: "hidden", timeout: MISSED_MS });
    await ben.type("e5");
    await anna.mayMove();
  } finally {
    await cable.discard();
  }
});
