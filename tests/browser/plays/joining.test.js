// Joining, watching and leaving games.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { RELAY_DOWN } from "../harness/failures.js";

play("further visitors watch the game", async (env) => {
  const { anna, ben, code } = await twoPlayers(env);
  const [sam, tess] = [new Player(await env.window()), new Player(await env.window())];
  await sam.page.goto("/");
  await sam.page.getByLabel("Code or link").fill(code);
  await sam.button("Watch").click();
  await sam.sees("White to move");
  await sam.page.getByText("You are watching").waitFor();
  // Both seats are taken: the link offers to watch, and not to play.
  await tess.page.goto(`/g/${code}`);
  await tess.sees("Both seats are taken");
  await tess.page.getByText("Anna – Ben").waitFor();
  assert.equal(await tess.button("Play").count(), 0);
  await tess.page.getByLabel("Your name").fill("Tess");
  await tess.button("Watch").click();
  await tess.page.getByText("You are watching").waitFor();
  await anna.page.getByText("2 watching").waitFor();
  await anna.type("e4");
  for (const player of [sam, tess]) {
    await player.sees("Black to move");
    await player.seesOn("e4", "white pawn, last move");
    // A spectator does not count itself.
    await player.page.getByText("1 watching").waitFor();
  }
  // Spectators cannot move pieces.
  await sam.drag("e7", "e5");
  await sam.click("d7", "d5");
  assert.equal(await sam.button("Resign").isVisible(), false);
  assert.equal(await sam.button("Offer draw").isVisible(), false);
  await sam.button("Flip board").click();
  await sam.page.getByRole("grid", { name: "Chessboard, Black below" }).waitFor();
  await ben.type("c5");
  await sam.seesOn("c5", "black pawn");
  await sam.seesOn("e7", "black pawn");
  await playOut(anna, ben, "Nf3");
  await sam.page.close();
  await anna.page.getByText("1 watching").waitFor();
});

play("two windows of one browser are two players", async (env) => {
  const anna = new Player(await env.window());
  const code = await anna.create({ name: "Anna" });
  const ben = new Player(await anna.page.context().newPage());
  await ben.join(code, "Ben");
  await playOut(anna, ben, "e4 e5 Nf3");

  // Each window keeps its own seat after a reload.
  await ben.page.reload();
  await ben.type("Nc6");
  await anna.page.reload();
  await anna.mayMove();
  await anna.seesOn("c6", "black knight");

  // A new window gets the seat of a closed one, and not that of an open one.
  await anna.page.close();
  const again = new Player(await ben.page.context().newPage());
  await again.page.goto(`/g/${code}`);
  await again.type("Bb5");
  await ben.mayMove();
  await ben.seesOn("b5", "white bishop");
});

play("invalid and unknown codes are explained", async (env) => {
  const page = await env.window();
  const player = new Player(page);
  await page.goto("/");
  await page.getByLabel("Code or link").fill("what is this?");
  await player.button("Join").click();
  await page.getByText("A code has only letters, digits and underscores.").waitFor();
  await page.getByLabel("Code or link").fill("nobody_is_here");
  await player.button("Watch").click();
  await page.getByRole("alert").getByText("There is no game with this code.").waitFor();
  env.failures.expect(/404.*nobody_is_here\.table/);
  await page.goto("/g/nobody_is_here");
  await page.getByRole("alert").getByText("There is no game with this code.").waitFor();
  await page.getByRole("link", { name: "Back to the lobby" }).click();
  await player.sees(/Play chess/);
});

play("a game can be joined by its link", async (env) => {
  const anna = new Player(await env.window({ permissions: ["clipboard-read", "clipboard-write"] }));
  const code = await anna.create({ color: "Black", clock: "5+3" });
  const link = await anna.page.getByLabel("Link to this game").inputValue();
  assert.equal(link, `${env.relay.url}/g/${code}`);
  await anna.button("Copy link").click();
  await anna.button("Copied").waitFor();
  assert.equal(await anna.page.evaluate(() => navigator.clipboard.readText()), link);
  // This relay listens on the loopback only: no telephone could use a QR code, so none is shown.
  await anna.page.getByText("The link works on this computer only.").waitFor();
  assert.equal(await anna.page.getByRole("img", { name: "The link as a QR code" }).count(), 0);
  const picture = await anna.page.request.get(`/qr.svg?link=${encodeURIComponent(link)}`);
  assert.match(await picture.text(), /^<svg /);
  // The other player pastes it.
  const ben = new Player(await env.window());
  await ben.page.goto("/");
  await ben.page.getByLabel("Code or link").fill(link);
  await ben.button("Join").click();
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.button("Play").click();
  await ben.mayMove();
  await anna.page.getByRole("grid", { name: "Chessboard, Black below" }).waitFor();
});

play("the game goes on after the relay was killed and restarted", async (env) => {
  const { anna, ben } = await twoPlayers(env, { clock: "5+3" });
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  env.failures.expect(...RELAY_DOWN);
  await env.relay.kill();
  for (const player of [anna, ben]) {
    await player.page.getByRole("alert").getByText("Reconnecting …").waitFor();
    await player.page.getByRole("alert").getByText("The relay cannot be reached.").waitFor();
    await player.page.getByRole("alert").getByText(/You have \d+ s to come back\./).waitFor();
  }
  // A move without a connection is not made.
  await anna.click("g1", "f3");
  await anna.seesOn("g1", "white knight");
  await env.relay.restart();
  for (const player of [anna, ben]) {
    await player.page.getByRole("alert").getByText("Reconnecting …").waitFor({ state: "hidden" });
  }
  await playOut(anna, ben, "Nf3 Nc6");
  await anna.mayMove();
  await anna.seesOn("c6", "black knight");

  // The page reconnects after an orderly shutdown as well.
  await env.relay.stop();
  await anna.page.getByRole("alert").getByText("Reconnecting …").waitFor();
  await env.relay.restart();
  await anna.page.getByRole("alert").getByText("Reconnecting …").waitFor({ state: "hidden" });
  await playOut(anna, ben, "Bb5 a6");
  await anna.mayMove();
});

play(
  "a player without a connection is told when the opponent may claim the win, and nothing of it against the computer",
  async (env) => {
    const { anna, ben } = await twoPlayers(env, { clock: "5+3" });
    await playOut(anna, ben, "e4 e5");
    await anna.mayMove();
    const alone = await env.window();
    await alone.goto("/");
    const form = alone.getByRole("form", { name: "Against the computer" });
    await form.getByLabel("Your colour").selectOption("White");
    await form.getByLabel("Time control").selectOption("5+3");
    await form.getByRole("button", { name: "Play the computer" }).click();
    await new Player(alone).mayMove();
    env.failures.expect(...RELAY_DOWN);
    await env.relay.kill();
    await anna.page.getByRole("alert").getByText("Your clock runs. Your opponent may claim the win.").waitFor();
    const alert = alone.getByRole("alert").filter({ hasText: "Reconnecting …" });
    assert.doesNotMatch(await alert.innerText(), /come back|claim/);
  },
  ["--grace=1"],
);

play("leaving a running game loses it", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await ben.button("Leave").click();
  await ben.page.getByRole("dialog", { name: "Leave this game?" }).getByRole("button", { name: "Leave" }).click();
  await ben.sees(/Play chess/);
  await anna.sees("You won: Ben left the game.");
  await anna.page.getByRole("group", { name: "Black: Ben (left)" }).waitFor();
});
