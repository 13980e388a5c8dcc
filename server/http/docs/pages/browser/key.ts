/** The field for the reader's API key. It is kept in this browser: one that was used here, or the one that the reader authorised /docs with. */
import { part } from './element.ts';

const kept = 'social-data.api-key';
/** Where Swagger UI keeps what its Authorize dialog was given (`persistAuthorization`). */
const authorized = 'authorized';

type Authorized = Readonly<Record<string, { readonly value?: unknown }>>;

/** Empty where none is known. */
function knownKey(): string {
  try {
    const own = localStorage.getItem(kept);
    if (own !== null) return own;
    const schemes = JSON.parse(localStorage.getItem(authorized) ?? '{}') as Authorized;
    return (
      Object.values(schemes)
        .map(({ value }) => value)
        .find((value) => typeof value === 'string') ?? ''
    );
  } catch {
    // Storage can be switched off, and may hold what another version wrote.
    return '';
  }
}

/** An empty key is forgotten. */
function keep(key: string): void {
  try {
    if (key === '') localStorage.removeItem(kept);
    else localStorage.setItem(kept, key);
  } catch {
    // Without storage the reader gives the key again.
  }
}

const box = part<HTMLInputElement>('key');
box.value = knownKey();
box.addEventListener('input', () => box.removeAttribute('aria-invalid'));
box.addEventListener('change', () => void (box.value === '' && keep('')));

/** What stands in the field. */
export const enteredKey = (): string => box.value.trim();

export const focusKey = (): void => box.focus();

/** The server took the key. */
export function keyAccepted(): void {
  box.removeAttribute('aria-invalid');
  keep(enteredKey());
}

/** The server did not take the key: the reader is led to the field. */
export function keyRejected(): void {
  box.setAttribute('aria-invalid', 'true');
  box.focus();
}
