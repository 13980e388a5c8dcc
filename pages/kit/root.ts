/** Where the service begins, as the page says. */

/** The root of the service, with a slash at its end. */
export const root = new URL(document.documentElement.dataset['root'] ?? './', location.href.replace(/[?#].*$/, ''))
  .href;
