// Runs before the page is drawn, so that the colours that the reader chose do not flash.
try {
  const theme = localStorage.getItem('social-data.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be disabled.
}
