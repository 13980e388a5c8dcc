/**
 * Makes a button copy a text to the clipboard. The button is hidden where the browser has no clipboard: it exists only
 * over TLS and on localhost.
 */
export function offerCopy(button: HTMLButtonElement, text: () => string): void {
  const label = button.textContent;
  button.hidden = !isSecureContext;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = label), 1500);
  };
  button.addEventListener('click', () => void copy());
}
