/**
 * The input field of the API key. The browser stores a key that was accepted here; otherwise the field uses the key
 * that the reader authorised /docs with.
 */
import { part } from './element.ts';

const storageKey = 'social-data.api-key';
/** The storage key of Swagger UI for the Authorize dialog (`persistAuthorization`). */
const swaggerStorageKey = 'authorized';

type Authorized = Readonly<Record<string, { readonly value?: unknown }>>;

/** Returns the stored API key, or the empty string. */
function readStoredKey(): string {
  try {
    const stored = localStorage.getItem(storageKey);
    if (stored !== null) return stored;
    const schemes = JSON.parse(localStorage.getItem(swaggerStorageKey) ?? '{}') as Authorized;
    return (
      Object.values(schemes)
        .map(({ value }) => value)
        .find((value) => typeof value === 'string') ?? ''
    );
  } catch {
    // Storage may be disabled, or may contain data of another version.
    return '';
  }
}

/** Stores the API key; an empty one is removed. */
function storeKey(key: string): void {
  try {
    if (key === '') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, key);
  } catch {
    // Without storage the reader must enter the key again.
  }
}

const box = part<HTMLInputElement>('key');
box.value = readStoredKey();
box.addEventListener('input', () => box.removeAttribute('aria-invalid'));
box.addEventListener('change', () => void (box.value === '' && storeKey('')));

/** The API key in the field. */
export const enteredKey = (): string => box.value.trim();

export const focusKey = (): void => box.focus();

/** Call it when the server has accepted the key. */
export function keyAccepted(): void {
  box.removeAttribute('aria-invalid');
  storeKey(enteredKey());
}

/** Call it when the server has rejected the key: it marks and focuses the field. */
export function keyRejected(): void {
  box.setAttribute('aria-invalid', 'true');
  box.focus();
}
