// Claimed draws and captured material.

import { play } from "../harness/play.js";
import { playOut, twoPlayers } from "../harness/player.js";

play("a player can claim a draw by threefold repetition", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
  await anna.mayMove();
  await anna.button("Claim draw").click();
  for (const player of [anna, ben]) {
    await player.sees("Draw by threefold repetition.");
    await player.page.getByRole("group", { name: "Result" }).getByText("½ – ½").waitFor();
  }
});

play("both players see the captured pieces and the lead", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  await playOut(anna, ben, "e4 d5 exd5 Qxd5 Nc3 Qxa2 Rxa2");
  await ben.mayMove();
  for (const { page } of [anna, ben]) {
    const captured = (/** @type {string} */ player) => page.getByRole("group", { name: player }).getByRole("img");
    await captured("White: Anna").and(page.getByRole("img", { name: /^Has captured: (queen, pawn|pawn, queen), ahead by 8$/ })).waitFor();
    await captured("Black: Ben").and(page.getByRole("img", { name: "Has captured: pawn, pawn", exact: true })).waitFor();
  }
});
