/**
 * Repairs of Swagger UI for readers who use a keyboard or a screen reader. React leaves attributes alone that it does not
 * set, so that a repair holds until the element is made anew; then the observer repairs it again.
 */

/** What axe-core finds in Swagger UI 5, and how it is repaired: a selector, and the repair of each element that matches. */
const repairs: readonly (readonly [selector: string, repair: (element: HTMLElement) => void])[] = [
  // The page has a main landmark already.
  ['main#operations:not([role])', (element) => setAll(element, { role: 'region', 'aria-label': 'Operations' })],
  // Headings without a gap below the title of the page.
  ['h3:not([aria-level])', (element) => element.setAttribute('aria-level', '2')],
  ['h4:not([aria-level])', (element) => element.setAttribute('aria-level', '3')],
  ['h5:not([aria-level]), h6:not([aria-level])', (element) => element.setAttribute('aria-level', '4')],
  // A link within a button, which does the same.
  ['.opblock-summary-control a[href]', (element) => element.removeAttribute('href')],
  ['#servers:not([aria-label])', (element) => element.setAttribute('aria-label', 'Server')],
  ['.examples-select-element:not([aria-label])', (element) => element.setAttribute('aria-label', 'Example')],
  ['select.content-type:not([aria-label])', (element) => element.setAttribute('aria-label', 'Media type')],
  ['.parameters-col_description select:not([aria-label])', nameByParameter],
  ['.parameters-col_description input:not([aria-label])', nameByParameter],
  ['textarea.body-param__text:not([aria-label])', (element) => element.setAttribute('aria-label', 'Request body')],
  // What scrolls can be scrolled by keyboard.
  ['pre.microlight:not([tabindex])', (element) => element.setAttribute('tabindex', '0')],
  ['.close-modal:not([aria-label])', (element) => element.setAttribute('aria-label', 'Close')],
  // The name of a button is its text.
  ['.auth-btn-wrapper button[aria-label]', (element) => element.removeAttribute('aria-label')],
];

function setAll(element: HTMLElement, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

function nameByParameter(element: HTMLElement): void {
  const row = element.closest<HTMLElement>('[data-param-name]');
  element.setAttribute('aria-label', row?.dataset['paramName'] ?? 'Value');
}

/** Repairs what is there, and what Swagger UI draws later. */
export function repairAccessibility(root: HTMLElement): void {
  const repair = (): void => {
    for (const [selector, act] of repairs) root.querySelectorAll<HTMLElement>(selector).forEach(act);
  };
  new MutationObserver(repair).observe(root, { childList: true, subtree: true });
  repair();
}
