/** The API key of the tab, for the components of all pages. */
import { useEffect, useState } from 'preact/hooks';
import { enteredKey, keyChanged, keyName } from '../../server/http/docs/pages/browser/key.ts';

export { askForKey, enteredKey, onKeyChange } from '../../server/http/docs/pages/browser/key.ts';

/** Stores the key for the tab; an empty one is removed. All parts of the page learn it. */
export function storeKey(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(keyName);
    else sessionStorage.setItem(keyName, key);
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
