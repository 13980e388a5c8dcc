/** The compared clients: each makes the same call. */
import type { paths } from '../../../generated/types.ts';

/** Makes one call and reads the response. */
export type Caller = () => Promise<unknown>;

interface ComparedClient {
  /** The source of an app with this client, to measure the size of its bundle. */
  readonly app: string;
  /** The imported module, to measure the time of the import. */
  readonly module: string | undefined;
  caller(module: never, baseUrl: string): Caller;
}

const path = '/social/user/last_tweets';
const query = { username: 'mira_codes', limit: 20 };
const queryText = new URLSearchParams({ username: query.username, limit: String(query.limit) });
const key = 'a-key-for-the-bench';
type OpenapiFetch = typeof import('openapi-fetch');
type OurClient = typeof import('../../../client/src/index.ts');
type OpenAi = typeof import('openai');
interface Octokit {
  readonly Octokit: new (options: object) => { request(route: string, parameters: object): Promise<unknown> };
}

const ours = new URL('../../../client/dist/index.js', import.meta.url).pathname;
const ourApp = `import { createClient } from '${ours}'; globalThis.client = createClient({ baseUrl: '' });`;

/** The clients by name. The overhead is relative to `bare openapi-fetch`. */
export const clients: Readonly<Record<string, ComparedClient>> = {
  'bare fetch': {
    app: "globalThis.call = () => fetch('/').then((response) => response.json());",
    module: undefined,
    caller: (_module, baseUrl) => async () =>
      (await fetch(`${baseUrl}${path}?${queryText}`, { headers: { 'x-api-key': key } })).json(),
  },
  'bare openapi-fetch': {
    app: "import createClient from 'openapi-fetch'; globalThis.client = createClient({ baseUrl: '' });",
    module: 'openapi-fetch',
    caller({ default: createClient }: OpenapiFetch, baseUrl) {
      const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });
      return () => client.GET(path, { params: { query } });
    },
  },
  '@social-data/client, GET': {
    app: ourApp,
    module: ours,
    caller({ createClient }: OurClient, baseUrl) {
      const client = createClient({ baseUrl, apiKey: key });
      return () => client.GET(path, { params: { query } });
    },
  },
  '@social-data/client, method': {
    app: ourApp,
    module: ours,
    caller({ createClient }: OurClient, baseUrl) {
      const client = createClient({ baseUrl, apiKey: key });
      return () => client.user.lastTweets(query);
    },
  },
  openai: {
    app: "import OpenAI from 'openai'; globalThis.client = new OpenAI({ apiKey: '' });",
    module: 'openai',
    caller({ OpenAI }: OpenAi, baseURL) {
      const client = new OpenAI({ baseURL, apiKey: key });
      return async () => client.get(path, { query });
    },
  },
  '@octokit/core': {
    app: "import { Octokit } from '@octokit/core'; globalThis.client = new Octokit();",
    module: '@octokit/core',
    caller({ Octokit }: Octokit, baseUrl) {
      const client = new Octokit({ baseUrl, auth: key });
      return () => client.request(`GET ${path}`, query);
    },
  },
};

/** A client by name. Throws an Error for an unknown name. */
export function clientNamed(name: string): ComparedClient {
  const client = clients[name];
  if (client === undefined) throw new Error(`there is no client ${name}`);
  return client;
}
