/**
 * The API key of the reader, which all pages share. It is stored for the tab only. The frame of the pages (`pages/kit/shell.ts`)
 * asks for it and stores it; events of `window` connect the two.
 */

/** The name of the key in `sessionStorage`. */
export const keyName = 'social-data.key';
/** Sent when the stored key has changed. */
export const keyChanged = 'social-data:key';
/** Sent to open the field of the key; the detail is a reason for the reader, or the empty string. */
export const keyWanted = 'social-data:key-wanted';

/** The stored API key, or the empty string. */
export function enteredKey(): string {
  try {
    return sessionStorage.getItem(keyName) ?? '';
  } catch {
    // Storage may be disabled.
    return '';
  }
}

/** Opens the field of the key. */
export const askForKey = (reason = ''): void =>
  void dispatchEvent(new CustomEvent<string>(keyWanted, { detail: reason }));

/** Call it when the server has rejected the key. */
export const keyRejected = (): void => askForKey('The service refused this key. Enter another one.');

/** Calls `listener` each time the stored key has changed. */
export const onKeyChange = (listener: () => void): void => addEventListener(keyChanged, listener);
