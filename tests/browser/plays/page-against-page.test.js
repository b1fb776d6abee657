// Games between two browsers.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player, playOut, twoPlayers } from "../harness/player.js";

/**
 * What has just happened, below the headline.
 *
 * @param {Player} player
 */
const notice = (player) => player.page.locator("[data-notice]");

play("a game ends with checkmate, and a rematch swaps the colours", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5 Bc4 Nc6 Qh5 Nf6");
  await anna.mayMove();
  await anna.click("h5", "f7");
  await anna.sees("You won by checkmate.");
  await ben.sees("You lost by checkmate.");
  await ben.seesOn("e8", "black king, in check");
  await ben.move("Qxf7#, queen takes f7, checkmate").waitFor();
  assert.equal(await ben.typed.isVisible() && await ben.typed.isEnabled(), false);

  await ben.button("Rematch").click();
  await anna.offer("rematch").getByText("Ben offers a rematch.").waitFor();
  await anna.offer("rematch").getByRole("button", { name: "Rematch" }).click();
  await ben.sees("Your move");
  await anna.sees("Waiting for Ben");
  await ben.seesOn("e1", "white king");
  await playOut(ben, anna, "f3 e5 g4 Qh4#");
  await anna.sees("You won by checkmate.");
  await ben.sees("You lost by checkmate.");
});

play("a check is marked, and only legal answers are offered", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5 Qh5 Nc6 Qxf7");
  await ben.sees("Check! Your move");
  await ben.seesOn("e8", "in check");
  await anna.seesOn("e8", "in check");
  await ben.square("e8").click();
  await ben.seesOn("f7", "can be taken");
  assert.equal(await ben.board.getByRole("gridcell", { name: /can (be taken|go here)/ }).count(), 1);
  // A piece without a legal move has no targets.
  await ben.square("a7").click();
  assert.equal(await ben.board.getByRole("gridcell", { name: /can (be taken|go here)/ }).count(), 0);
  await ben.square("a6").click();
  await ben.click("e8", "f7");
  await anna.sees("Your move");
  await anna.seesOn("f7", "black king");
});

play("a draw offer can be declined and accepted", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "d4 d5");
  await anna.button("Offer draw").click();
  await ben.offer("draw").getByText("Anna offers a draw.").waitFor();
  await ben.button("Decline").click();
  await ben.offer("draw").getByText("Anna offers a draw.").waitFor({ state: "hidden" });
  await notice(anna).getByText("Draw declined.").waitFor();
  await anna.type("c4");
  await ben.mayMove();
  await ben.button("Offer draw").click();
  await anna.offer("draw").getByText("Ben offers a draw.").waitFor();
  await anna.button("Accept").click();
  for (const player of [anna, ben]) await player.sees("Draw by agreement.");
});

play("a takeback can be declined and accepted", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5 Qh5");
  await ben.mayMove();
  await anna.button("Takeback").click();
  await ben.offer("takeback").getByText("Anna asks for a takeback.").waitFor();
  await ben.button("Decline").click();
  await notice(anna).getByText("Takeback declined.").waitFor();
  await ben.seesOn("h5", "white queen");
  await anna.button("Takeback").click();
  await ben.button("Accept").click();
  await anna.sees("Your move");
  await notice(anna).getByText("Takeback accepted.").waitFor();
  for (const player of [anna, ben]) {
    await player.seesOn("d1", "white queen");
    await player.seesOn("h5", "empty");
  }
  assert.equal(await ben.moves.getByRole("button").count(), 2);
  await anna.type("Nf3");
  await ben.mayMove();
});

play("resigning asks first, and loses the game", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.mayMove();
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog", { name: "Resign this game?" }).getByRole("button", { name: "Play on" }).click();
  await anna.type("Nf3");
  await ben.mayMove();
  await ben.button("Resign").click();
  await ben.page.getByRole("dialog", { name: "Resign this game?" }).getByRole("button", { name: "Resign" }).click();
  await ben.sees("You lost by resignation.");
  await anna.sees("You won by resignation.");
});

play("a game can be aborted before its second move", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await anna.type("e4");
  await ben.mayMove();
  await ben.button("Abort").click();
  for (const player of [anna, ben]) await player.sees("Game aborted.");
});

play("a player whose time runs out loses", async (env) => {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  await anna.page.goto("/");
  const form = anna.page.getByRole("form", { name: "New game" });
  await form.getByLabel("Your name").fill("Anna");
  await form.getByRole("radio", { name: "White" }).check();
  await form.getByRole("radio", { name: "Other …" }).check();
  await form.getByLabel("Minutes each").fill("0");
  await form.getByLabel("Seconds per move").fill("0");
  await form.getByRole("button", { name: "Create game" }).click();
  await form.getByRole("alert").getByText("from one second").waitFor();
  await form.getByLabel("Minutes each").fill("0.05");
  await form.getByRole("button", { name: "Create game" }).click();
  await anna.sees("Waiting for an opponent");
  await ben.join(anna.code());
  await anna.type("e4");
  await ben.sees("You lost on time.");
  await anna.sees("You won on time.");
  const clock = anna.page.getByRole("group", { name: "Black: Ben" }).getByRole("timer");
  assert.match((await clock.textContent()) ?? "", /^0:00/);
});

play("a premove is played as soon as it is legal", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  // A selected piece shows where it could go.
  await ben.square("e7").click();
  await ben.seesOn("e5", "can go here");
  assert.equal(await ben.board.getByRole("gridcell", { name: /can (be taken|go here)/ }).count(), 2);
  await ben.square("e7").click();
  await ben.drag("e7", "e5");
  await ben.seesOn("e7", "planned move");
  await ben.seesOn("e5", "planned move");
  await anna.type("e4");
  await anna.seesOn("e5", "black pawn");
  await anna.mayMove();

  // Escape cancels a premove.
  await ben.click("d7", "d5");
  await ben.seesOn("d5", "planned move");
  await ben.page.keyboard.press("Escape");
  await ben.square("d5").and(ben.page.getByRole("gridcell", { name: "d5, empty", exact: true })).waitFor();

  // A premove that has become illegal is not played.
  await ben.click("e5", "e4");
  await ben.seesOn("e4", "planned move");
  await anna.type("Nf3");
  await ben.sees("Your move");
  await ben.seesOn("e5", "black pawn");
  await ben.type("Nc6");
  await anna.mayMove();
});

play("the board can be flipped and played on", async (env) => {
  const { anna } = await twoPlayers(env);
  const [a1, h8] = [await anna.middle("a1"), await anna.middle("h8")];
  await anna.button("Flip board").click();
  await anna.page.getByRole("grid", { name: "Chessboard, Black below" }).waitFor();
  assert.deepEqual([await anna.middle("a1"), await anna.middle("h8")], [h8, a1]);
  // It can still be played on.
  await anna.drag("e2", "e4");
  await anna.seesOn("e4", "white pawn");
  await anna.sees("Waiting for Ben");
});

play("chat messages reach the other player", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await anna.page.getByLabel("Write a message").fill("Have a good game!");
  await anna.button("Send").click();
  await ben.chat.getByRole("listitem").filter({ hasText: "Have a good game!" }).filter({ hasText: "Anna" }).waitFor();
  await ben.page.getByLabel("Write a message").fill("You too 👋");
  await ben.page.getByLabel("Write a message").press("Enter");
  await anna.chat.getByRole("listitem").filter({ hasText: "You too 👋" }).waitFor();
  assert.equal(await anna.chat.getByRole("listitem").count(), 2);
});

play("a typed move that is refused is explained once, beside its field", async (env) => {
  const { anna } = await twoPlayers(env);
  const typed = anna.page.getByRole("form").or(anna.page.locator("form")).filter({ has: anna.typed });
  for (const [move, sentence] of /** @type {const} */ ([
    ["e4e5", "There is no piece on this square."],
    ["e7e5", "This is not your piece."],
    ["e2e5", "Illegal move."],
  ])) {
    await anna.type(move);
    await typed.getByText(sentence).waitFor();
    assert.equal(await anna.page.locator("[data-notice]").getByText(sentence).count(), 0, sentence);
  }
  await anna.type("e4");
  await anna.sees("Waiting for Ben");
});

play("an offer can be withdrawn before it is answered", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "d4 d5");
  await anna.button("Offer draw").click();
  await ben.offer("draw").waitFor();
  await anna.button("Withdraw").first().click();
  await ben.offer("draw").waitFor({ state: "detached" });
  await notice(ben).getByText("The draw offer is withdrawn.").waitFor();
  await anna.button("Takeback").click();
  await ben.offer("takeback").waitFor();
  await anna.button("Withdraw").first().click();
  await notice(ben).getByText("The takeback request is withdrawn.").waitFor();
  await anna.button("Resign").click();
  await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await ben.sees("You won by resignation.");
  await ben.button("Rematch").click();
  await anna.offer("rematch").waitFor();
  await anna.button("Decline").click();
  await notice(ben).getByText("Rematch declined.").waitFor();
});

play("the list of moves has one pair in a row", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5 Nf3 Nc6");
  await anna.mayMove();
  const tops = await anna.moves.getByRole("listitem").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  assert.equal(tops.length, 2);
  assert.ok((tops[1] ?? 0) > (tops[0] ?? 0), JSON.stringify(tops));
});

play("an error beside the field for typed moves ends with the next input or move, and hides no answer of the opponent", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 e5");
  await anna.type("Ke5");
  const wrong = anna.page.locator("form").filter({ has: anna.typed }).locator(".wrong");
  await wrong.getByText(/./).waitFor();
  await anna.button("Takeback").click();
  await ben.offer("takeback").getByRole("button", { name: "Decline" }).click();
  await anna.page.locator(".head").getByText("Takeback declined.").waitFor();
  assert.notEqual(await wrong.textContent(), "");
  await anna.typed.press("End");
  await anna.typed.press("Backspace");
  assert.equal(await wrong.textContent(), "");
  assert.equal(await anna.typed.getAttribute("aria-invalid"), null);
  await anna.typed.fill("Ke5");
  await anna.typed.press("Enter");
  await wrong.getByText(/./).waitFor();
  await anna.click("g1", "f3");
  await ben.mayMove();
  await wrong.getByText(/./).waitFor({ state: "hidden" });

  // A move declines what the opponent has asked for.
  await anna.button("Takeback").click();
  await ben.offer("takeback").waitFor();
  await ben.type("Nc6");
  await anna.page.locator(".head").getByText("Takeback declined.").waitFor();
});
