// Runs before the first paint, so that nobody sees the wrong theme for a moment. What is chosen is written in
// common/appearance.js.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("tabiya.theme");
  } catch {
    // A browser may keep nothing.
  }
  const night = matchMedia("(prefers-color-scheme: dark)");
  const isDark = chosen === "dark" || (chosen !== "light" && night.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
