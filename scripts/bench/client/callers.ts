/** The compared clients: each makes the same call. */
import type { paths } from '../../../generated/types.ts';

/** Makes one call and reads the response. */
export type Caller = () => Promise<unknown>;

interface ComparedClient {
  /** The source of an app with this client, to measure the size of its bundle. */
  readonly app: string;
  /** The imported module, to measure the time of the import. */
  readonly module: string | undefined;
  caller(module: never, baseUrl: string, request: ComparedRequest): Caller;
}

/** A call with a response of a certain size. */
interface ComparedRequest {
  readonly path: '/social/user/last_tweets' | '/social/space/detail';
  readonly query: Readonly<Record<string, string>>;
  /** The maximum CPU time of a method of our client, as a multiple of that of bare openapi-fetch. */
  readonly budget: number;
  /** The same call as a method of our client. */
  method(client: import('../../../client/src/index.ts').SocialDataClient): PromiseLike<unknown>;
}

/** The compared calls by name: a page of 20 tweets, and one small object. */
export const requests = {
  page: {
    path: '/social/user/last_tweets',
    query: { username: 'mira_codes', limit: '20' },
    budget: 1.3,
    method: (client) => client.user.lastTweets({ username: 'mira_codes', limit: 20 }),
  },
  small: {
    path: '/social/space/detail',
    query: { id: '1vSampleSpace1' },
    budget: 1.6,
    method: (client) => client.space.detail({ id: '1vSampleSpace1' }),
  },
} as const satisfies Record<string, ComparedRequest>;

/** A request by name. Throws an Error for an unknown name. */
export function requestNamed(name: string): ComparedRequest {
  const request = (requests as Readonly<Record<string, ComparedRequest>>)[name];
  if (request === undefined) throw new Error(`there is no request ${name}`);
  return request;
}

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
    caller: (_module, baseUrl, { path, query }) => {
      const url = `${baseUrl}${path}?${new URLSearchParams(query)}`;
      return async () => (await fetch(url, { headers: { 'x-api-key': key } })).json();
    },
  },
  'bare openapi-fetch': {
    app: "import createClient from 'openapi-fetch'; globalThis.client = createClient({ baseUrl: '' });",
    module: 'openapi-fetch',
    caller({ default: createClient }: OpenapiFetch, baseUrl, { path, query }) {
      const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });
      return () => client.GET(path, { params: { query: query as never } });
    },
  },
  '@social-data/client, GET': {
    app: ourApp,
    module: ours,
    caller({ createClient }: OurClient, baseUrl, { path, query }) {
      const client = createClient({ baseUrl, apiKey: key });
      return () => client.GET(path, { params: { query: query as never } });
    },
  },
  '@social-data/client, method': {
    app: ourApp,
    module: ours,
    caller({ createClient }: OurClient, baseUrl, { method }) {
      const client = createClient({ baseUrl, apiKey: key });
      return () => Promise.resolve(method(client));
    },
  },
  openai: {
    app: "import OpenAI from 'openai'; globalThis.client = new OpenAI({ apiKey: '' });",
    module: 'openai',
    caller({ OpenAI }: OpenAi, baseURL, { path, query }) {
      const client = new OpenAI({ baseURL, apiKey: key });
      return async () => client.get(path, { query });
    },
  },
  '@octokit/core': {
    app: "import { Octokit } from '@octokit/core'; globalThis.client = new Octokit();",
    module: '@octokit/core',
    caller({ Octokit }: Octokit, baseUrl, { path, query }) {
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
