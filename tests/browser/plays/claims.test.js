// Draws that are claimed, and what was taken.

import { play } from "../harness/play.js";
import { playOut, twoPlayers } from "../harness/player.js";

play("what has been on the board three times is a draw, if somebody claims it", async (stage) => {
  const { anna, ben } = await twoPlayers(stage);
  await playOut(anna, ben, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
  await anna.mayMove();
  await anna.button("Claim draw").click();
  for (const player of [anna, ben]) {
    await player.sees("Draw by threefold repetition.");
    await player.page.getByRole("group", { name: "Result" }).getByText("½ – ½").waitFor();
  }
});

play("both see what was taken, and who is ahead", async (stage) => {
  const { anna, ben } = await twoPlayers(stage);
  await playOut(anna, ben, "e4 d5 exd5 Qxd5 Nc3 Qxa2 Rxa2");
  await ben.mayMove();
  for (const { page } of [anna, ben]) {
    const taken = (/** @type {string} */ player) => page.getByRole("group", { name: player }).getByRole("img");
    await taken("White: Anna").and(page.getByRole("img", { name: /^Has taken: (queen, pawn|pawn, queen), ahead by 8$/ })).waitFor();
    await taken("Black: Ben").and(page.getByRole("img", { name: "Has taken: pawn, pawn", exact: true })).waitFor();
  }
});
