// The drawings: pieces and signs. They are put into the document, so that `<use href="#wn">` finds them.

/**
 * @param {string} file beside this folder
 */
async function bring(file) {
  const answer = await fetch(new URL(`../art/${file}`, import.meta.url));
  const drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  drawing.setAttribute("class", "sprite");
  drawing.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(drawing, true));
}

/** Nothing waits for them: a piece whose drawing comes later appears later. */
export function bringSprites() {
  for (const file of ["pieces.svg", "signs.svg"]) {
    bring(file).catch((error) => console.error(`the drawings in ${file} are missing`, error));
  }
}
