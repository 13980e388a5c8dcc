/** Makes a button copy a text. Browsers have the clipboard only where the page came over TLS or from this machine: it is hidden elsewhere. */
export function offerCopy(button: HTMLButtonElement, text: () => string): void {
  const words = button.textContent;
  button.hidden = !isSecureContext;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text());
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = words), 1500);
  });
}
