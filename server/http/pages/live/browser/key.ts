/** The reader's API key: kept until this tab is closed, and never in the page's address. */

const kept = 'social-data.live-key';

/** Empty where none is known. */
export function knownKey(): string {
  try {
    return sessionStorage.getItem(kept) ?? '';
  } catch {
    // Storage can be switched off.
    return '';
  }
}

/** An empty key is forgotten. */
export function keepKey(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, key);
  } catch {
    // Without storage the reader gives the key again.
  }
}
