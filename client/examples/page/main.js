// A page that searches, bundled by Vite: npx vite build. Open it as ?base=http://127.0.0.1:3000&key=sd_…
// Every visitor of a page can read its key. In production, let your own server add the key.
import { createClient, RateLimitError, SocialDataError } from '@social-data/client';

const address = new URLSearchParams(location.search);
const client = createClient({ baseUrl: address.get('base') ?? '', apiKey: address.get('key') ?? undefined });
const [form, status, list] = ['form', '[role=status]', 'ol'].map((selector) => document.querySelector(selector));

/** Aborts the current search when the next one starts. */
let search = new AbortController();

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  search.abort();
  const { signal } = (search = new AbortController());
  list.replaceChildren();
  status.textContent = 'Searching …';
  try {
    for await (const { text } of client.tweet.advancedSearch(
      { query: form.elements.query.value },
      { limit: 10, signal },
    )) {
      list.append(Object.assign(document.createElement('li'), { textContent: text }));
    }
    status.textContent = `${list.children.length} found`;
  } catch (error) {
    if (signal.aborted || !(error instanceof SocialDataError)) return;
    status.textContent =
      error instanceof RateLimitError ? `Too many searches. Retry in ${error.retryAfter} s.` : error.message;
  }
});
