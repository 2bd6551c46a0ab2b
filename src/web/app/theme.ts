/**
 * Runs before the first paint on every page, as a classic script: theme, language, and the policy for images. It imports
 * nothing; the keys are those of shared/core/settings.ts.
 */
const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const root = document.documentElement;
const chosenTheme = read("colophon.theme");
if (chosenTheme === "light" || chosenTheme === "dark") root.dataset.theme = chosenTheme;

// Two policies hold together: images from other hosts stay forbidden until a person has agreed to load them.
if (read("colophon.covers") !== "load") {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "img-src 'self' data:";
  document.head.append(policy);
}
