import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { setupServer } from 'msw/node';
import {
  createClient,
  type SocialDataClient,
  type Space,
  type Tweet,
  type TweetShort,
} from '../../client/src/index.ts';
import { createMocks } from '../../client/src/msw.ts';
import { commands } from '../../generated/commands.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import type { Context } from './readme/context.ts';
import { fileOf, findingsIn, readSnippets, writeModules, type Snippet } from './readme/snippets.ts';

const apiKey = 'a-key-for-the-readme';
const mocked = 'http://social.test';
const snippets = await readSnippets();
/** A snippet with a parameter that no operation has. */
const wrong: Snippet = { name: 'wrong', language: 'ts', code: "await client.space.detail({ idd: '1' });" };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let client: SocialDataClient;
let space: Space;
let tweets: readonly Tweet[];
/** The paths of the requests of `client`. */
let requested: string[] = [];
/** What the snippet printed. */
let printed: string[] = [];
let cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(join(folder.path, 'data'), { API_KEYS: apiKey });
  client = createClient({ baseUrl: server.url, apiKey });
  client.use({ onRequest: ({ request }) => void requested.push(new URL(request.url).pathname) });
  space = await client.space.detail({ id: '1vSampleSpace1' });
  ({ tweets } = await client.user.lastTweets({ username: 'mira_codes' }));
  const here = snippets.map(({ code, ...rest }) => ({
    ...rest,
    code: code.replace('http://127.0.0.1:3000', server.url),
  }));
  await writeModules(join(folder.path, 'snippets'), [...here, wrong], Object.keys(contextOf({})));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  printed = [];
  requested = [];
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

test('the table of methods has every operation', async () => {
  const readme = await readFile(new URL('../../client/README.md', import.meta.url), 'utf8');
  const names = commands.map(({ group, name }) => `${group}.${name}`);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm').test(readme))).toEqual([]);
});

/** Ends a snippet that goes on for ever. */
class Enough extends Error {}

const enough = (): never => {
  throw new Enough();
};

function contextOf(given: Partial<Context>): Context {
  const log = (...values: readonly unknown[]): void => void printed.push(values.map(String).join(' '));
  return {
    client,
    baseUrl: server.url,
    apiKey,
    signal: new AbortController().signal,
    id: 'nowhere',
    tweet_id: '1890000000000000001',
    query: 'coffee',
    saved: undefined,
    space,
    tweet: tweets[0]!,
    tweets,
    store: async () => {},
    checkpoint: async () => {},
    beforeAll: (run) => void run(),
    afterAll: (run) => void cleanups.push(run),
    console: { log },
    process: { env: { SOCIAL_DATA_API_KEY: apiKey }, stdout: { write: log } },
    ...given,
  };
}

/** Runs a snippet. Resolves with its result, or with the Enough that ended it. */
async function run(name: string, given: Partial<Context> = {}): Promise<unknown> {
  const snippet = snippets.find((each) => each.name === name);
  if (snippet === undefined) throw new Error(`the README has no snippet '${name}'`);
  const path = join(folder.path, 'snippets', fileOf(snippet));
  const module = (await import(path)) as { run(context: Context): Promise<unknown> };
  return module.run(contextOf(given)).catch((error: unknown) => {
    if (error instanceof Enough) return error;
    throw error;
  });
}

/** A console that ends the snippet after a number of lines. */
const upTo = (lines: number): Context['console'] => ({
  log: (line) => (printed.push(String(line)) >= lines ? enough() : undefined),
});

/** What each snippet does when it runs, or undefined with the reason. Every block of the README is here. */
const runs: Readonly<Record<string, (() => Promise<void>) | undefined>> = {
  async 'The first call'() {
    await run('The first call');
    expect(printed).toEqual([space.title]);
  },
  async Browsers() {
    await run('Browsers');
    expect(printed).toEqual([space.title]);
  },
  async Lists() {
    const stored: TweetShort[] = [];
    await run('Lists', { store: async (page) => void stored.push(...page) });
    expect(printed.slice(0, tweets.length)).toEqual(tweets.map(({ text }) => text));
    expect(stored.length).toBeGreaterThan(0);
  },
  async 'Lists 2'() {
    expect(await run('Lists 2', { console: upTo(3) })).toBeInstanceOf(Enough);
    expect(printed).toEqual(
      tweets
        .slice(-3)
        .reverse()
        .map(({ text }) => text),
    );
  },
  async Errors() {
    expect(await run('Errors')).toBeUndefined();
    expect(requested).toEqual(['/social/space/detail']);
    expect(printed).toEqual([]);
  },
  async 'Errors 2'() {
    await run('Errors 2');
    expect(printed).toEqual([expect.stringMatching(/\w/)]);
  },
  async 'Retries and timeouts'() {
    expect(await run('Retries and timeouts')).toBeUndefined();
  },
  async 'The assistant'() {
    await run('The assistant');
    expect(printed).toHaveLength(2);
  },
  async 'The assistant 2'() {
    await run('The assistant 2');
    expect(printed.slice(0, -1).join('')).toMatch(/\w/);
  },
  async Events() {
    const mocks = createMocks({ baseUrl: mocked });
    const mockServer = setupServer(...mocks.handlers);
    mockServer.listen();
    cleanups.push(() => mockServer.close());
    mocks.events.emit('search:tweets', { event: 'tweet.created', data: tweets[0] as TweetShort });
    const cursors: string[] = [];
    const checkpoint = async (cursor: string): Promise<void> => void (cursors.push(cursor), enough());
    const listener = createClient({ baseUrl: mocked, apiKey });
    expect(await run('Events', { client: listener, checkpoint })).toBeInstanceOf(Enough);
    expect(printed).toEqual([tweets[0]?.text]);
    expect(cursors).toHaveLength(1);
  },
  async 'The web address of a tweet'() {
    const tweet = tweets.find(({ retweeted_tweet: original }) => original === null)!;
    await run('The web address of a tweet', { tweet });
    expect(printed).toEqual([`https://x.com/mira_codes/status/${tweet.id}`]);
  },
  // Node does not run JSX, and the snippet is a component: react.test.ts runs such a one in a browser.
  React: undefined,
  async 'Validation of responses'() {
    expect(await run('Validation of responses')).toBeUndefined();
  },
  async 'Direct use of openapi-fetch'() {
    await run('Direct use of openapi-fetch');
    expect(requested).toEqual(['/social/user/highlights']);
  },
  async 'Mocks for your tests'() {
    await run('Mocks for your tests');
    const app = createClient({ baseUrl: mocked, apiKey, retry: false });
    expect(await app.space.detail({ id: 'other' })).toEqual({ ...space, id: 'other' });
    expect(await app.user.lastTweets({ username: 'mira_codes' }).toArray()).toEqual(tweets);
    const question = app.tweet.assistant({ conversation_id: 'c', prompt: 'Why?' });
    await expect(question).rejects.toMatchObject({ name: 'ConversationExpiredError' });
    await expect(app.assistant.status()).rejects.toMatchObject({ name: 'RateLimitError', retryAfter: 0 });
  },
};

test('each snippet of the README has a test', () => {
  expect(snippets.map(({ name }) => name)).toEqual(Object.keys(runs));
});

test('each snippet compiles against the client', async () => {
  const findings = await findingsIn(join(folder.path, 'snippets'));
  expect(findings).toEqual([expect.stringMatching(/^wrong\.ts.*'idd'/)]);
});

const running = Object.keys(runs).filter((name) => runs[name] !== undefined);

test.each(running)("the snippet '%s' runs", async (name) => {
  await runs[name]?.();
});
