// Measures where texts and boxes are on the screen.

import assert from "node:assert/strict";

const LANGUAGES = ["en", "de", "es", "fr", "ru", "sk"];

/**
 * A text of the page in all its languages and plural forms.
 *
 * @param {string} key
 * @returns {Promise<string[]>}
 */
export async function inAllLanguages(key) {
  const files = await Promise.all(LANGUAGES.map((code) => import(`../../../host-server/page/language/${code}.js`)));
  return files.flatMap(({ default: texts }) => (typeof texts[key] === "string" ? [texts[key]] : Object.values(texts[key])));
}

/**
 * Which of these texts are broken into several lines, or cut off, in an element of the page.
 *
 * @param {import("playwright-core").Locator} element
 * @param {readonly string[]} texts
 */
export async function brokenOrCut(element, texts) {
  return element.evaluate((target, texts) => {
    const before = target.textContent;
    const wrong = texts.filter((text) => {
      target.textContent = text;
      const range = document.createRange();
      range.selectNodeContents(target);
      const { left, right } = range.getBoundingClientRect();
      const outer = (target.closest("button") ?? target).getBoundingClientRect();
      return range.getClientRects().length !== 1 || left < outer.left - 0.5 || right > outer.right + 0.5;
    });
    target.textContent = before;
    return wrong;
  }, texts);
}

/**
 * The box of a visible element.
 *
 * @param {import("playwright-core").Locator} element
 */
export async function boxOf(element) {
  const box = await element.boundingBox();
  assert.ok(box, "the element is not visible");
  return box;
}

/**
 * Checks that a box is within the window, and returns it.
 *
 * @param {import("playwright-core").Page} page
 * @param {import("playwright-core").Locator} element
 */
export async function isWholeInWindow(page, element) {
  const box = await boxOf(element);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  assert.ok(box.y >= 0 && box.y + box.height <= height && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
  return box;
}

/**
 * The widths of the lines into which each of these texts is broken in an element of the page, in pixels. The element has its own text again
 * before the browser draws anything, so that the change is no layout shift.
 *
 * @param {import("playwright-core").Locator} element
 * @param {readonly string[]} texts
 */
export async function lineWidths(element, texts) {
  return element.evaluate((target, texts) => {
    const before = target.textContent;
    const widths = texts.map((text) => {
      target.textContent = text;
      const range = document.createRange();
      range.selectNodeContents(target);
      return Array.from(range.getClientRects(), ({ width }) => width);
    });
    target.textContent = before;
    return widths;
  }, texts);
}

/**
 * Where the headings, labels and fields begin in the panel beside the board, by their texts.
 *
 * @param {import("playwright-core").Page} page
 */
export async function panelLines(page) {
  return page.locator(".panel").evaluate((panel) => {
    const start = panel.getBoundingClientRect().top;
    return Array.from(panel.querySelectorAll("h2, label, input, ul, ol"), (element) => {
      const name = element.textContent?.trim().slice(0, 20) || element.getAttribute("aria-label") || element.id;
      return `${name} at ${element.checkVisibility() ? element.getBoundingClientRect().top - start : "no place"}`;
    });
  });
}
