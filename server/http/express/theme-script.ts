/** The only script that is part of the pages themselves. The content security policy names its hash. */
import { createHash } from 'node:crypto';

/**
 * Runs before the page is drawn, so that the colours that the reader chose do not flash. A file would delay the page by a request.
 * `localStorage` may be disabled, and reading it then throws.
 */
export const themeScript = `try {
  const theme = localStorage.getItem('social-data.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {}`;

/** The script as a source of a policy (CSP 3 §2.3.1). */
export const themeSource = `'sha256-${createHash('sha256').update(themeScript).digest('base64')}'`;
