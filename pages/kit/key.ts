/** The API key of the tab, for the components of all pages. */
import { useEffect, useState } from 'preact/hooks';
import { enteredKey, isRemembered, keyChanged, keyName } from '../../server/http/docs/pages/browser/key.ts';

export { askForKey, enteredKey, isRemembered, onKeyChange } from '../../server/http/docs/pages/browser/key.ts';

/** The name of the conversations with the assistant in `localStorage`, which belong to the key. */
export const conversationsName = 'social-data.conversations';

/**
 * Stores the key, for the tab or on the device; an empty one is removed, with the conversations that were asked with it. All parts of
 * the page learn it.
 */
export function storeKey(key: string, remembers = isRemembered()): void {
  try {
    sessionStorage.removeItem(keyName);
    localStorage.removeItem(keyName);
    if (key === '') localStorage.removeItem(conversationsName);
    else (remembers ? localStorage : sessionStorage).setItem(keyName, key);
  } catch {
    // Without storage the pages work without a key only.
  }
  dispatchEvent(new Event(keyChanged));
}

/** The stored key; the component is drawn again when it changes. */
export function useKey(): string {
  const [key, setKey] = useState(enteredKey);
  useEffect(() => {
    const update = (): void => setKey(enteredKey());
    addEventListener(keyChanged, update);
    return () => removeEventListener(keyChanged, update);
  }, []);
  return key;
}
