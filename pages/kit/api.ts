/** The client of the pages: `@social-data/client` with the key of the tab. */
import { createClient, type SocialDataClient } from '@social-data/client';
import { useEffect, useState } from 'preact/hooks';
import { enteredKey, keyChanged, keyName } from '../../server/http/docs/pages/browser/key.ts';
import { baseUrl } from './address.ts';

export { askForKey, enteredKey, onKeyChange } from '../../server/http/docs/pages/browser/key.ts';

/**
 * The client of all pages. A reader sees an error rather than wait a minute for it, so it tries again twice within 4 s.
 */
export const client: SocialDataClient = createClient({
  baseUrl,
  apiKey: enteredKey,
  retry: { retries: 2, budgetMs: 4_000 },
});

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

export type Loaded<Data> =
  | { readonly is: 'loading' }
  | { readonly is: 'failed'; readonly error: unknown; readonly again: () => void }
  | { readonly is: 'ready'; readonly data: Data };

/**
 * Loads a value when the component appears, when `id` or the key changes, and after `again`. A response that comes too late
 * is ignored, and its request aborted.
 */
export function useLoaded<Data>(id: string, load: (signal: AbortSignal) => Promise<Data>): Loaded<Data> {
  const key = useKey();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Loaded<Data>>({ is: 'loading' });
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    setState({ is: 'loading' });
    load(signal).then(
      (data) => void (signal.aborted || setState({ is: 'ready', data })),
      (error: unknown) =>
        void (signal.aborted || setState({ is: 'failed', error, again: () => setRound((before) => before + 1) })),
    );
    return () => aborting.abort();
  }, [id, key, round]);
  return state;
}
