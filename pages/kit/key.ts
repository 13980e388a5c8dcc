/**
 * The API key of the reader, which all pages share. The frame of the pages (`shell.ts`) asks for it; events of `window` connect the two.
 *
 * Where it is stored: for the tab (`sessionStorage`), or, if the reader says so, on the device (`localStorage`), so that links in new
 * tabs and later visits need no key again. What the second one costs: whoever uses this browser later has the key, until someone
 * removes it. Other sites can read neither, and scripts in this page could read both: the content security policy admits only those
 * of the service, and content of tweets is inserted as text. A cookie that scripts cannot read, as `/operate` has, would not be safer
 * here: a script in the page could send requests with it all the same, browsers would attach it to requests that other sites cause,
 * and each operation would need a defence against them. Operators' keys are never stored.
 */
import { useEffect, useState } from 'preact/hooks';

/** The name of the key in `sessionStorage` or `localStorage`. */
export const keyName = 'social-data.key';
/** Sent when the stored key has changed. */
export const keyChanged = 'social-data:key';
/** Sent to open the field of the key; the detail is a reason for the reader, or the empty string. */
export const keyWanted = 'social-data:key-wanted';

/** The stored API key, or the empty string. */
export function enteredKey(): string {
  try {
    return sessionStorage.getItem(keyName) ?? localStorage.getItem(keyName) ?? '';
  } catch {
    // Storage may be disabled.
    return '';
  }
}

/** Whether the key is stored on the device. */
export function isRemembered(): boolean {
  try {
    return localStorage.getItem(keyName) !== null;
  } catch {
    return false;
  }
}

/** Opens the field of the key. */
export const askForKey = (reason = ''): void =>
  void dispatchEvent(new CustomEvent<string>(keyWanted, { detail: reason }));

/** Call it when the server has rejected the key. */
export const keyRejected = (): void => askForKey('The service refused this key. Enter another one.');

/** Calls `listener` each time the stored key has changed. */
export const onKeyChange = (listener: () => void): void => addEventListener(keyChanged, listener);

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
