/** The compared clients: each makes the same call. */
import type { paths } from '../../../generated/types.ts';
import { importPeer } from '../peer-packages.ts';
import { ourselves } from '../result.ts';
import { key } from '../service.ts';

/** A call with a response of a certain size. */
interface ComparedRequest {
  readonly path: '/social/user/last_tweets' | '/social/space/detail';
  readonly query: Readonly<Record<string, string>>;
  /** The same call as a method of our client. */
  method(client: import('../../../client/src/index.ts').SocialDataClient): PromiseLike<unknown>;
}

interface ComparedClient {
  /** The source of an app with this client, to measure the size of its bundle. */
  readonly app: string;
  /** Imports the module. */
  load(): Promise<unknown>;
  /** A function that makes one call and reads the response. */
  caller(module: never, baseUrl: string, request: ComparedRequest): () => Promise<unknown>;
}

/** The compared calls by name. */
export const requests: Readonly<Record<string, ComparedRequest>> = {
  'a page of 20 tweets': {
    path: '/social/user/last_tweets',
    query: { username: 'mira_codes', limit: '20' },
    method: (client) => client.user.lastTweets({ username: 'mira_codes', limit: 20 }),
  },
  'a small object': {
    path: '/social/space/detail',
    query: { id: '1vSampleSpace1' },
    method: (client) => client.space.detail({ id: '1vSampleSpace1' }),
  },
};

type OpenapiFetch = typeof import('openapi-fetch');
type OurClient = typeof import('../../../client/src/index.ts');
type OpenAi = typeof import('openai');
interface Octokit {
  readonly Octokit: new (options: object) => { request(route: string, parameters: object): Promise<unknown> };
}

const ours = new URL('../../../client/dist/index.js', import.meta.url).pathname;
const ourApp = `import { createClient } from '${ours}'; globalThis.client = createClient({ baseUrl: '' });`;

/** The clients by name. */
export const clients: Readonly<Record<string, ComparedClient>> = {
  'bare fetch': {
    app: "globalThis.call = () => fetch('/').then((response) => response.json());",
    load: async () => undefined,
    caller: (_module, baseUrl, { path, query }) => {
      const url = `${baseUrl}${path}?${new URLSearchParams(query)}`;
      return async () => (await fetch(url, { headers: { 'x-api-key': key } })).json();
    },
  },
  'openapi-fetch': {
    app: "import createClient from 'openapi-fetch'; globalThis.client = createClient({ baseUrl: '' });",
    load: () => import('openapi-fetch'),
    caller({ default: createClient }: OpenapiFetch, baseUrl, { path, query }) {
      const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });
      return () => client.GET(path, { params: { query: query as never } });
    },
  },
  'this client, GET': {
    app: ourApp,
    load: () => import(ours),
    caller({ createClient }: OurClient, baseUrl, { path, query }) {
      const client = createClient({ baseUrl, apiKey: key });
      return () => client.GET(path, { params: { query: query as never } });
    },
  },
  [ourselves]: {
    app: ourApp,
    load: () => import(ours),
    caller({ createClient }: OurClient, baseUrl, { method }) {
      const client = createClient({ baseUrl, apiKey: key });
      return () => Promise.resolve(method(client));
    },
  },
  openai: {
    app: "import OpenAI from 'openai'; globalThis.client = new OpenAI({ apiKey: '' });",
    load: () => import('openai'),
    caller({ OpenAI }: OpenAi, baseURL, { path, query }) {
      const client = new OpenAI({ baseURL, apiKey: key });
      return async () => client.get(path, { query });
    },
  },
  '@octokit/core': {
    app: "import { Octokit } from '@octokit/core'; globalThis.client = new Octokit();",
    load: () => importPeer('@octokit/core'),
    caller({ Octokit }: Octokit, baseUrl, { path, query }) {
      const client = new Octokit({ baseUrl, auth: key });
      return () => client.request(`GET ${path}`, query);
    },
  },
};
