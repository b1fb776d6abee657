// Copying. Outside of TLS and localhost a browser has only the old way, and a club's own network has no TLS.

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copy(text) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // It may be forbidden, and the old way not.
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  field.setAttribute("aria-hidden", "true");
  const host = document.querySelector("dialog[open]") ?? document.body;
  const focused = document.activeElement;
  host.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
