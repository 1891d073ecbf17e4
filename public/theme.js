/* Before the first paint: the colours that were chosen on this device (src/ui/kit/theme.svelte.ts). */
try {
  const chosen = localStorage.getItem('blindfold.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is denied: the system's colours.
}
