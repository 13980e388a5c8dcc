/** The client of the pages: `@social-data/client` with the key of the tab. */
import { createClient, type SocialDataClient } from '@social-data/client';
import { useEffect, useState } from 'preact/hooks';
import { baseUrl } from './address.ts';
import { enteredKey, useKey } from './key.ts';

/**
 * The client of all pages. A reader sees an error rather than wait a minute for it, so it tries again twice within 4 s.
 */
export const client: SocialDataClient = createClient({
  baseUrl,
  apiKey: enteredKey,
  retry: { retries: 2, budgetMs: 4_000 },
});

export type Loaded<Data> =
  | { readonly is: 'loading' }
  | { readonly is: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly is: 'ready'; readonly data: Data };

/**
 * Loads a value when the component appears, when `id` or the key changes, and after `retry`. A response that comes too late
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
        void (signal.aborted || setState({ is: 'failed', error, retry: () => setRound((before) => before + 1) })),
    );
    return () => aborting.abort();
  }, [id, key, round]);
  return state;
}
