// Runs before the first paint. Sets the theme, so that the wrong one does not flash, and the language, whose texts it begins to load.
// common/appearance.js and language/switch.js store the choices.
(() => {
  const root = document.documentElement;
  const recall = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be forbidden.
      return null;
    }
  };
  const theme = recall("tabiya.theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = theme === "dark" || (theme !== "light" && system.matches);
  root.dataset.theme = isDark ? "dark" : "light";

  const known = ["en", "de", "es", "fr", "ru", "sk"];
  const wanted = [recall("tabiya.language") ?? "", ...navigator.languages].map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  root.lang = wanted.find((code) => known.includes(code)) ?? "en";
  const texts = document.createElement("link");
  texts.rel = "modulepreload";
  // Beside this file, which has the version of the page in its address.
  texts.href = new URL(`language/${root.lang}.js`, /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  document.head.append(texts);
})();
