import assert from "node:assert/strict";

import { play } from "../harness/play.js";

play("the page is there", async ({ window }) => {
  const page = await window();
  await page.goto("/");
  assert.equal(await page.title(), "Tabiya");
});
