// Loads the SVG sprites of pieces and icons into the document, so that `<use href="#wn">` finds them.

/**
 * @param {string} file in art/
 */
async function load(file) {
  const answer = await fetch(new URL(`../art/${file}`, import.meta.url));
  const drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  drawing.setAttribute("class", "sprite");
  drawing.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(drawing, true));
}

/** Does not block: a piece whose sprite arrives later appears later. */
export function loadSprites() {
  for (const file of ["pieces.svg", "signs.svg"]) {
    load(file).catch((error) => console.error(`loading the sprites in ${file} failed`, error));
  }
}
