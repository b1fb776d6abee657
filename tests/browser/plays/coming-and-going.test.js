// Who comes in, who does not, and who comes back.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";
import { RELAY_AWAY } from "../harness/troubles.js";

play("those who come later watch", async (stage) => {
  const { anna, ben, code } = await twoPlayers(stage);
  const [sam, tess] = [new Player(await stage.window()), new Player(await stage.window())];
  await sam.page.goto("/");
  await sam.page.getByLabel("Code or link").fill(code);
  await sam.button("Watch").click();
  await sam.sees("White to move");
  await sam.page.getByText("You are watching").waitFor();
  // There are two players already.
  await tess.join(code, "Tess");
  await tess.page.getByText("You are watching").waitFor();
  await anna.page.getByText("2 watching").waitFor();
  await anna.type("e4");
  for (const player of [sam, tess]) {
    await player.sees("Black to move");
    await player.seesOn("e4", "white pawn, last move");
  }
  // They can look at everything, and touch nothing.
  await sam.drag("e7", "e5");
  await sam.click("d7", "d5");
  assert.equal(await sam.button("Resign").isVisible(), false);
  assert.equal(await sam.button("Offer draw").isVisible(), false);
  await sam.button("Turn board").click();
  await sam.page.getByRole("grid", { name: "Chessboard, Black below" }).waitFor();
  await ben.type("c5");
  await sam.seesOn("c5", "black pawn");
  await sam.seesOn("e7", "black pawn");
  await playOut(anna, ben, "Nf3");
  await sam.page.close();
  await anna.page.getByText("1 watching").waitFor();
});

play("two windows of one browser are two players", async (stage) => {
  const anna = new Player(await stage.window());
  const code = await anna.create({ name: "Anna" });
  const ben = new Player(await anna.page.context().newPage());
  await ben.join(code, "Ben");
  await playOut(anna, ben, "e4 e5 Nf3");

  // Each keeps its own seat when it is loaded again.
  await ben.page.reload();
  await ben.type("Nc6");
  await anna.page.reload();
  await anna.mayMove();
  await anna.seesOn("c6", "black knight");

  // Who has closed a window finds the seat again, and nobody else's.
  await anna.page.close();
  const again = new Player(await ben.page.context().newPage());
  await again.page.goto(`/g/${code}`);
  await again.type("Bb5");
  await ben.mayMove();
  await ben.seesOn("b5", "white bishop");
});

play("codes that are none are explained", async (stage) => {
  const page = await stage.window();
  const player = new Player(page);
  await page.goto("/");
  await page.getByLabel("Code or link").fill("what is this?");
  await player.button("Join").click();
  await page.getByText("A code is letters, digits and underscores.").waitFor();
  await page.getByLabel("Code or link").fill("nobody_is_here");
  await player.button("Watch").click();
  await page.getByRole("alert").getByText("There is no game with this code.").waitFor();
  await page.goto("/g/nobody_is_here");
  await player.button("Play").click();
  await page.getByRole("alert").getByText("There is no game with this code.").waitFor();
  await page.getByRole("link", { name: "Back to the lobby" }).click();
  await player.sees(/Play chess/);
});

play("a link is enough to come in", async (stage) => {
  const anna = new Player(await stage.window({ permissions: ["clipboard-read", "clipboard-write"] }));
  const code = await anna.create({ color: "Black", clock: "5+3" });
  const link = await anna.page.getByLabel("Link to this game").inputValue();
  assert.equal(link, `${stage.relay.url}/g/${code}`);
  await anna.button("Copy link").click();
  await anna.button("Copied").waitFor();
  assert.equal(await anna.page.evaluate(() => navigator.clipboard.readText()), link);
  const picture = anna.page.getByRole("img", { name: "The link as a QR code" });
  assert.ok(await picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).decode().then(() => true)));
  // The other pastes it.
  const ben = new Player(await stage.window());
  await ben.page.goto("/");
  await ben.page.getByLabel("Code or link").fill(link);
  await ben.button("Join").click();
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.button("Play").click();
  await ben.mayMove();
  await anna.page.getByRole("grid", { name: "Chessboard, Black below" }).waitFor();
});

play("the relay is killed, and the game goes on when it is back", async (stage) => {
  const { anna, ben } = await twoPlayers(stage, { clock: "5+3" });
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  stage.troubles.expect(...RELAY_AWAY);
  await stage.relay.kill();
  for (const player of [anna, ben]) {
    await player.page.getByRole("alert").getByText("your seat is kept").waitFor();
    await player.page.getByRole("alert").getByText("The relay cannot be reached.").waitFor();
  }
  // What is done meanwhile is not lost without a word: it is not done.
  await anna.click("g1", "f3");
  await anna.seesOn("g1", "white knight");
  await stage.relay.restart();
  for (const player of [anna, ben]) {
    await player.page.getByRole("alert").getByText("your seat is kept").waitFor({ state: "hidden" });
  }
  await playOut(anna, ben, "Nf3 Nc6");
  await anna.mayMove();
  await anna.seesOn("c6", "black knight");

  // A relay that is stopped says so, and is waited for as well.
  await stage.relay.stop();
  await anna.page.getByRole("alert").getByText("your seat is kept").waitFor();
  await stage.relay.restart();
  await anna.page.getByRole("alert").getByText("your seat is kept").waitFor({ state: "hidden" });
  await playOut(anna, ben, "Bb5 a6");
  await anna.mayMove();
});

play("who leaves a game that is being played loses it", async (stage) => {
  const { anna, ben } = await twoPlayers(stage);
  await playOut(anna, ben, "e4 e5");
  await ben.button("Leave").click();
  await ben.page.getByRole("dialog", { name: "Leave this game?" }).getByRole("button", { name: "Leave" }).click();
  await ben.sees(/Play chess/);
  await anna.sees(/^You won/);
});
