// What axe-core finds wrong with a view, for those who do not see it, or see little.

import axe from "axe-core";

/**
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>} a line for each violation
 */
export async function violations(page) {
  await settled(page);
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap((/** @type {any} */ { id, help, nodes }) =>
      nodes.map((/** @type {any} */ { target, any }) => `${id}: ${help}: ${target.join(" ")}: ${any.map((/** @type {any} */ { message }) => message)}`),
    );
  });
}

/**
 * Waits until nothing moves: what is half transparent on its way has no contrast.
 *
 * @param {import("playwright-core").Page} page
 */
async function settled(page) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished)));
}
