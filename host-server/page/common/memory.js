// Values kept in web storage. Private windows may forget them, or refuse to store them.

/**
 * @param {"local" | "session"} kind shared by all windows, or for this window only
 * @param {string} key
 * @returns {string | null}
 */
export function recall(kind, key) {
  try {
    return storage(kind).getItem(`tabiya.${key}`);
  } catch {
    return null;
  }
}

/**
 * @param {"local" | "session"} kind
 * @param {string} key
 * @param {string | null} value `null` removes it
 */
export function remember(kind, key, value) {
  try {
    if (value === null) storage(kind).removeItem(`tabiya.${key}`);
    else storage(kind).setItem(`tabiya.${key}`, value);
  } catch {
    // Storage is full or forbidden. The value is lost when the page closes.
  }
}

/**
 * The rest of every key with this prefix.
 *
 * @param {"local" | "session"} kind
 * @param {string} prefix
 */
export function keysOf(kind, prefix) {
  try {
    const start = `tabiya.${prefix}`;
    return Object.keys(storage(kind))
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length));
  } catch {
    return [];
  }
}

/** @param {"local" | "session"} kind */
function storage(kind) {
  return kind === "local" ? localStorage : sessionStorage;
}
