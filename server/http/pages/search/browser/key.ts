/** The reader's API key, kept in this browser: one that was used here, or the one that the reader authorised /docs with. */

const kept = 'social-data.api-key';
/** Where Swagger UI keeps what its Authorize dialog was given (`persistAuthorization`). */
const authorized = 'authorized';

type Authorized = Readonly<Record<string, { readonly value?: unknown }>>;

/** Empty where none is known. */
export function knownKey(): string {
  try {
    const own = localStorage.getItem(kept);
    if (own !== null) return own;
    const schemes = JSON.parse(localStorage.getItem(authorized) ?? '{}') as Authorized;
    return Object.values(schemes).map(({ value }) => value).find((value) => typeof value === 'string') ?? '';
  } catch {
    // Storage can be switched off, and may hold what another version wrote.
    return '';
  }
}

/** An empty key is forgotten. */
export function keepKey(key: string): void {
  try {
    if (key === '') localStorage.removeItem(kept);
    else localStorage.setItem(kept, key);
  } catch {
    // Without storage the reader gives the key again.
  }
}
