// What a browser remembers for us, if it does: in private windows it may forget, or refuse.

/**
 * @param {"local" | "session"} kind for all windows and for good, or for this window while it is open
 * @param {string} key
 * @returns {string | null}
 */
export function recall(kind, key) {
  try {
    return shelf(kind).getItem(`tabiya.${key}`);
  } catch {
    return null;
  }
}

/**
 * @param {"local" | "session"} kind
 * @param {string} key
 * @param {string | null} value nothing is to forget
 */
export function remember(kind, key, value) {
  try {
    if (value === null) shelf(kind).removeItem(`tabiya.${key}`);
    else shelf(kind).setItem(`tabiya.${key}`, value);
  } catch {
    // Then it is asked again next time.
  }
}

/**
 * All keys that begin so, without the beginning.
 *
 * @param {"local" | "session"} kind
 * @param {string} beginning
 */
export function keysOf(kind, beginning) {
  try {
    const start = `tabiya.${beginning}`;
    return Object.keys(shelf(kind))
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length));
  } catch {
    return [];
  }
}

/** @param {"local" | "session"} kind */
function shelf(kind) {
  return kind === "local" ? localStorage : sessionStorage;
}
