/** The sources of the apps. */

/** The calls of an app: a list, an error, an event, a verb of openapi-fetch. */
const calls = `  const found = [];
  for await (const tweet of client.user.lastTweets({ username: 'mira_codes', limit: 2 }, { limit: 5 })) found.push(tweet.id);
  const missing = await client.space.detail({ id: 'nowhere' }).catch((error) => error);
  const pool = client.events({ pool: true });
  const { value } = await pool.next();
  pool.close();
  const { data } = await client.GET('/social/assistant/status');
`;
const result =
  '[new Set(found).size, missing instanceof NotFoundError, missing.name, value.event, typeof data.capable]';

/** What an app does first. */
export const body = `
const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY });
(async () => {
${calls}  console.log(JSON.stringify(${result}));
})();
`;
export const expected = JSON.stringify([5, true, 'NotFoundError', 'pool.status', 'number']);
export const names = '{ createClient, NotFoundError }';
export const esm = `import ${names} from '@social-data/client';${body}`;
export const cjs = `const ${names} = require('@social-data/client');${body}`;

/** A Worker: it answers with the same as the other apps, as JSON. */
export const worker = `
import ${names} from '@social-data/client';
export default {
  async fetch(request, env) {
    const client = createClient({ baseUrl: env.BASE_URL, apiKey: env.KEY });
${calls}    return Response.json(${result});
  },
};
`;

/** Runs the Worker in workerd, from a file. */
export const workerd = `
import { Miniflare } from 'miniflare';
const { BASE_URL, KEY } = process.env;
const runtime = new Miniflare({ modules: true, scriptPath: 'bundle.mjs', compatibilityDate: '2026-01-01', bindings: { BASE_URL, KEY } });
try {
  const response = await runtime.dispatchFetch('http://worker.test/');
  console.log(await response.text());
} finally {
  await runtime.dispose();
}
`;

/** Types as an app uses them. */
export const types = `
import { createClient, NotFoundError, type Tweet, type LastTweetsParams } from '@social-data/client';
import { RateLimitError } from '@social-data/client/errors';
export async function texts(parameters: LastTweetsParams): Promise<string[]> {
  const client = createClient({ baseUrl: 'http://x', apiKey: 'k' });
  const all: Tweet[] = await client.user.lastTweets(parameters).toArray();
  for await (const { event, data } of client.events({ search: 'coffee' }))
    if (event === 'tweet.created') return [data.text];
  const { ok, error } = await client.space.detail({ id: '1' }).result();
  if (!ok && error.name === 'NotFoundError') return [String(error instanceof NotFoundError), String(error instanceof RateLimitError)];
  // @ts-expect-error: misspelt
  void client.user.lastTweets({ user_name: 'a' });
  return all.map(({ text }) => text);
}
`;

/** Types of the entries for React and for validation. */
export const reactTypes = `
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { createClient, type SocialDataClient } from '@social-data/client';
import { createQueries, useEvents } from '@social-data/client/react';
import { validate } from '@social-data/client/validate';
export const checked = createClient({ baseUrl: 'http://x', apiKey: 'k', validate });
export function useTexts(client: SocialDataClient, username: string): string[] {
  const queries = createQueries(client);
  const { data: info, error } = useQuery(queries.user.info({ username }));
  const { data } = useInfiniteQuery(queries.user.lastTweets.infinite({ username }));
  const { mutate } = useMutation(queries.tweet.unlike());
  const { status } = useEvents(client, { user: username }, { onEvent: ({ data: { id } }) => mutate({ tweet_id: id }) });
  const name: 'NotFoundError' | undefined = error?.name === 'NotFoundError' ? error.name : undefined;
  // @ts-expect-error: misspelt
  void queries.user.info({ user_name: 'a' });
  return [status, String(name ?? info?.user.name), ...(data?.pages ?? []).flatMap((page) => page.tweets.map(({ text }) => text))];
}
`;

/** A page with hooks: its title is what they returned. */
export const reactPage = `
import { createElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createClient } from '@social-data/client';
import { createQueries, useEvents } from '@social-data/client/react';
import { validate } from '@social-data/client/validate';
const { BASE_URL, KEY } = Object.fromEntries(new URLSearchParams(location.search));
const client = createClient({ baseUrl: BASE_URL, apiKey: KEY, validate });
const queries = createQueries(client);
function Page() {
  const [event, setEvent] = useState();
  const { error } = useQuery(queries.space.detail({ id: 'nowhere' }));
  const { data, fetchNextPage } = useInfiniteQuery(queries.user.lastTweets.infinite({ username: 'mira_codes', limit: 2 }));
  const { status } = useEvents(client, { pool: true }, { onEvent: (received) => setEvent(received.event) });
  const count = data?.pages.flatMap((page) => page.tweets).length;
  useEffect(() => { if (count === 2) fetchNextPage(); }, [count]);
  useEffect(() => { if (count === 4 && error && event) document.title = JSON.stringify([count, error.name, event, status]); });
  return null;
}
createRoot(document.body).render(createElement(QueryClientProvider, { client: new QueryClient() }, createElement(Page)));
`;
export const expectedOfReact = JSON.stringify([4, 'NotFoundError', 'pool.status', 'open']);

/** The test of an app with mocks, for Jest and Vitest. */
const mockTest = `
let mocks, server;
test('a mocked call', async () => {
  mocks = createMocks({ baseUrl: 'http://social.test' });
  server = setupServer(...mocks.handlers);
  server.listen();
  try {
    const client = createClient({ baseUrl: 'http://social.test', apiKey: 'k', retry: false });
    server.use(mocks.space.detail.fails('NotFound'));
    const error = await client.space.detail({ id: '1' }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(await client.assistant.status()).toHaveProperty('capable');
  } finally {
    server.close();
  }
});
`;
export const vitestTest = `
import { expect, test } from 'vitest';
import ${names} from '@social-data/client';
import { createMocks } from '@social-data/client/msw';
import { setupServer } from 'msw/node';
${mockTest}`;
export const jestTest = `
const ${names} = require('@social-data/client');
const { createMocks } = require('@social-data/client/msw');
const { setupServer } = require('msw/node');
${mockTest}`;
/** A test with Jest's default preset, without mocks. */
export const jestPlain = `
const ${names} = require('@social-data/client');
test('a call', async () => {
  const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY });
  expect((await client.user.lastTweets({ username: 'mira_codes' }, { limit: 3 }).toArray())).toHaveLength(3);
  await expect(client.space.detail({ id: 'nowhere' })).rejects.toThrow(NotFoundError);
  expect((await client.GET('/social/assistant/status')).data).toHaveProperty('capable');
});
`;

/** An app of Next: a page that a server renders with data of the service. */
export const next = {
  'app/layout.js': `export default function Layout({ children }) { return <html><body>{children}</body></html>; }`,
  'app/page.js': `
import ${names} from '@social-data/client';
export const dynamic = 'force-static';
export default async function Page() {
  const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY });
  const tweets = await client.user.lastTweets({ username: 'mira_codes' }, { limit: 3, fetchOptions: { next: { revalidate: 60 } } }).toArray();
  const missing = await client.space.detail({ id: 'nowhere' }).catch((error) => error);
  return <p>{tweets.length} tweets, {String(missing instanceof NotFoundError)}</p>;
}`,
  'next.config.mjs': 'export default {};',
};
