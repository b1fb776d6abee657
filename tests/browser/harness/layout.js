// Measures how texts are laid out.

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
