// Players who are away: invitations stay valid, games without a clock wait, and with a clock the opponent may claim the win.

import assert from "node:assert/strict";

import { violations } from "../harness/axe.js";
import { ChessataClient } from "../harness/chessata-client.js";
import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { PHONE } from "../harness/touch.js";

const SHORT_GRACE = ["--grace=1"];

/**
 * Waits until the relay says this of a code.
 *
 * @param {import("../harness/play.js").Environment} env
 * @param {string} code
 * @param {(table: any) => boolean} isSo
 */
async function table(env, code, isSo) {
  for (;;) {
    const answer = await fetch(new URL(`/games/${code}.table`, env.relay.url));
    if (isSo(await answer.json())) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Waits until the grace period of those who are away now is over: a lone player of a room without invitation loses the seat then.
 *
 * @param {import("../harness/play.js").Environment} env
 */
async function gracePasses(env) {
  const client = new ChessataClient(env.relay.url, "timer", "timer");
  await client.connect();
  await client.inbox.next(({ type }) => type === "game_state", "the state of the room");
  client.close();
  await table(env, "timer", ({ phase }) => phase === "closed");
}

play(
  "an invitation waits while its maker is away, and the game begins without the maker",
  async (env) => {
    const anna = new Player(await env.window(PHONE));
    const code = await anna.create({ clock: "5+3" });
    // On a phone the page is gone as soon as the link is sent with another application.
    await anna.page.goto("about:blank");
    await table(env, code, ({ white }) => !white.here);
    await gracePasses(env);
    const ben = new Player(await env.window(PHONE));
    await ben.page.goto(`/g/${code}`);
    await ben.sees("Anna invites you to a game");
    await ben.page.getByLabel("Your name").fill("Ben");
    await ben.button("Play").tap();
    await ben.sees("Waiting for Anna");
    await ben.page.getByRole("group", { name: "White: Anna" }).getByText(/^offline/).waitFor();
    await anna.page.goto(`/g/${code}`);
    await anna.mayMove();
    await anna.tap("e2", "e4");
    await ben.mayMove();
    await ben.page.getByText("offline").waitFor({ state: "hidden" });
  },
  SHORT_GRACE,
);

play(
  "a game without a clock is not lost by absence",
  async (env) => {
    const { anna, ben, code } = await twoPlayers(env);
    await playOut(anna, ben, "e4 e5");
    await ben.page.goto("about:blank");
    await anna.page.getByRole("group", { name: "Black: Ben" }).getByText("offline", { exact: true }).waitFor();
    await gracePasses(env);
    await anna.type("Nf3");
    await anna.sees("Waiting for Ben");
    assert.equal(await anna.button("Claim win").isVisible(), false);
    await ben.page.goto(`/g/${code}`);
    await ben.mayMove();
    await ben.seesOn("f3", "white knight");
  },
  SHORT_GRACE,
);

play(
  "with a clock the win can be claimed against an absent opponent",
  async (env) => {
    const anna = new Player(await env.window(PHONE));
    const ben = new Player(await env.window());
    const code = await anna.create({ clock: "5+3" });
    await ben.join(code);
    await playOut(anna, ben, "e4 e5");
    await anna.mayMove();
    await ben.page.goto("about:blank");
    const absent = anna.page.getByRole("group", { name: "absent opponent" });
    await absent.getByText("Ben is offline. You may claim the win, or wait.").waitFor();
    assert.deepEqual(await violations(anna.page), []);
    // Waiting hides the question, and the game goes on.
    await absent.getByRole("button", { name: "Wait" }).tap();
    await absent.waitFor({ state: "hidden" });
    await anna.type("Nf3");
    await ben.page.goto(`/g/${code}`);
    await ben.mayMove();
    await anna.page.getByText("offline").waitFor({ state: "hidden" });
    await ben.page.goto("about:blank");
    await absent.getByRole("button", { name: "Claim win" }).tap();
    await anna.sees("You won: Ben did not come back in time.");
    // The player who comes back too late sees how it ended.
    await ben.page.goto(`/g/${code}`);
    await ben.sees("You lost: you did not come back in time.");
    const sam = new Player(await env.window());
    await sam.page.goto(`/g/${code}?game=1`);
    await sam.sees("White won: Ben did not come back in time.");
  },
  SHORT_GRACE,
);

play("leaving before both have moved aborts the game", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await anna.type("e4");
  await ben.mayMove();
  await ben.button("Leave").click();
  await ben.sees(/Play chess/);
  await anna.sees("Game aborted.");
  await anna.page.getByText("No result").waitFor();
  await anna.page.getByRole("group", { name: "Black: Ben (left)" }).waitFor();
});
