/**
 * Mocks of the service for tests of apps, based on Mock Service Worker. Every method returns the example of the spec
 * unless a test overrides it.
 */
import { http, HttpResponse, type HttpHandler, type WebSocketHandler } from 'msw';
import { keyNames, table, type Methods } from '../../generated/client.ts';
import { answers, failures, inputs, replies, type FailuresOf } from '../../generated/mocks.ts';
import type { Answer, Item, KeyPlace, OperationId, OperationRow } from './contract.ts';
import { defined } from './defined.ts';
import type { Parameters } from './parameters.ts';
import { namesIn } from './input.ts';
import { methodNameOf } from './method-name.ts';
import { MockSocket, type AskMock, type MockedEvents } from './mock-socket.ts';
import { receivedOf } from './received.ts';

export type { MockedEvent, MockedEvents } from './mock-socket.ts';

/** The request that a mock received. */
export interface Mocked<Id extends OperationId> {
  readonly parameters: Parameters<Id>;
  readonly request: Request;
}
/** Options of a handler. */
export interface HandlerOptions {
  /** Handles only the first request; the next handler handles the others. */
  readonly once?: boolean;
}
/** Options of a handler that answers. */
export interface AnswerOptions extends HandlerOptions {
  /** The status, for an operation with several success responses; default: the first one of the contract. */
  readonly status?: number;
  /** Headers beside those of the contract's examples, which they replace. */
  readonly headers?: Readonly<Record<string, string>>;
}
/** Options of a handler that returns an error. */
export interface FailureOptions extends HandlerOptions {
  /** Seconds in `Retry-After`, for errors that have it; default 1. A client with retries waits for that time. */
  readonly retryAfter?: number;
}

/** Creates handlers for one method: pass them to `server.use(…)`. */
export type Mock<Id extends OperationId> = {
  /** Returns this body, or the result of a function of the call. */
  answers(
    answer: Answer<Id> | ((call: Mocked<Id>) => Answer<Id> | Promise<Answer<Id>>),
    options?: AnswerOptions,
  ): HttpHandler;
  /** Returns an error of the spec by its name, or breaks the connection. */
  fails(name: FailuresOf[Id] | 'ConnectionError', options?: FailureOptions): HttpHandler;
} & ([Item<Id>] extends [never]
  ? unknown
  : {
      /** Returns these items in pages, by `limit` and `cursor`. */
      pages(items: readonly Item<Id>[]): HttpHandler;
    });

/** The mock of `client.assistant.stream`. Without a handler of its own, it streams what the mock of `tweet.assistant` answers. */
export type StreamMock = Pick<Mock<'explainTweet'>, 'answers' | 'fails'>;

/** A mock for each method, with the handlers for `msw`. */
export type Mocks = Methods<{ [Id in OperationId]: Mock<Id> }> & {
  readonly assistant: { readonly stream: StreamMock };
  /** All methods with the examples of the spec, and the event stream. */
  readonly handlers: (HttpHandler | WebSocketHandler)[];
  readonly events: MockedEvents;
  /** Ends all event streams and streamed answers without an error, and forgets all events: call it after each test. */
  reset(): void;
};

interface Page {
  next_cursor: string | null;
  has_next_page: boolean;
}
/** The failures by name; a contract may lack any of them. */
const known: Readonly<Record<string, Failure | undefined>> = failures;
const responseHeaders = known['BadRequest']?.headers ?? {};
const defaultLimit = 20;

/** What the mocks stand for. */
export interface MockOptions {
  /** The URL of the service; the default `*` matches every host. */
  readonly baseUrl?: string;
  /** The key that requests must have; the default accepts every key, and `null` also requests without one. */
  readonly apiKey?: string | null;
}

/** Mocks of the service. They refuse requests without a key, and parameters that the contract does not have. */
export function createMocks({ baseUrl = '*', apiKey }: MockOptions = {}): Mocks {
  const events = new MockSocket(baseUrl, askMock);
  const handlers: (HttpHandler | WebSocketHandler)[] = [events.handler];
  const mocks: Record<string, unknown> = { events, handlers, reset: () => events.reset() };
  for (const [key, operation] of Object.entries(table as Readonly<Record<string, OperationRow>>)) {
    const [method = '', path = ''] = key.split(' ');
    const [group, name] = methodNameOf(path, operation.name);
    const example = answers[`${group}.${name}`];
    const route = { baseUrl, path, method, key, name: `${group}.${name}` };
    const check = inputCheck(key, operation, apiKey);
    const mock = mockOf(route, operation, example, check);
    const methods = (mocks[group] ??= {}) as Record<string, unknown>;
    methods[name] = mock;
    if (key === questions) {
      const { answers: answer, fails } = mockOf({ ...route, role: 'stream' }, operation, example, check);
      Object.assign((mocks['assistant'] ??= {}) as object, { stream: { answers: answer, fails } });
    }
    const { items } = operation;
    const last = mockOf({ ...route, role: 'last' }, operation, example, check);
    handlers.push(items === undefined ? last.answers(example) : last.pages(itemsOf(Object(example), items)));
  }
  return mocks as unknown as Mocks;
}

/** The operation that answers the questions of streams. */
const questions = 'get /social/tweet/assistant' satisfies keyof typeof table;
/**
 * The header of the requests by which the mocked WebSocket gets its answers. They have no key. `own` asks the handlers of
 * `assistant.stream`, `any` also those of `tweet.assistant`.
 */
const streamHeader = 'x-mocked-stream';
/** The status where no handler of `assistant.stream` answers. */
const noHandler = 204;

/** Sends a question of the WebSocket as a request, so that the handlers of the test answer it. */
const askMock: AskMock = async (url, params, signal) => {
  const [, path = ''] = questions.split(' ');
  const query = new URLSearchParams(defined(params as Record<string, string>));
  const address = `${url.protocol.replace('ws', 'http')}//${url.host}${url.pathname.replace(/\/ws$/, path)}?${query}`;
  const ask = (whom: 'own' | 'any'): Promise<Response> => fetch(address, { headers: { [streamHeader]: whom }, signal });
  const response = await ask('own');
  return response.status === noHandler ? ask('any') : response;
};

/** A function that returns a response body. */
type AnswerOf = (call: { readonly parameters: PageParameters; readonly request: Request }) => unknown;
interface PageParameters {
  readonly cursor?: string;
  readonly limit?: number;
}

function itemsOf(page: object, name: string): readonly unknown[] {
  const items: unknown = Object.entries(page).find(([member]) => member === name)?.[1];
  return Array.isArray(items) ? items : [];
}

interface AnyMock {
  answers(answer: unknown, options?: AnswerOptions): HttpHandler;
  fails(name: string, options?: FailureOptions): HttpHandler;
  pages(items: readonly unknown[]): HttpHandler;
}

interface Failure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
/** The failure of a request that the service would refuse; undefined for a valid one. */
type Check = (request: Request, parameters: object) => Failure | undefined;

/** The key of a request, at one of the places where an operation takes it. */
function keyOf({ headers, url }: Request, places: readonly KeyPlace[]): string | undefined {
  for (const [place, name = ''] of places) {
    const [scheme = '', credential] = headers.get('authorization')?.split(' ') ?? [];
    const isScheme = scheme.toLowerCase() === place;
    const text = place === 'header' ? headers.get(name) : new URL(url).searchParams.get(name);
    const key = isScheme ? credential : text;
    if (key) return isScheme && place === 'basic' ? atob(key) : key;
  }
  return undefined;
}
const usualKeys: readonly KeyPlace[] = [['header', keyNames.header], ['bearer'], ['basic'], ['query', keyNames.query]];

/** Checks the key and the names of the parameters. */
function inputCheck(key: string, { wire }: OperationRow, apiKey: string | null | undefined): Check {
  const { names = [], required = [], exactlyOneOf = [] } = inputs[key] ?? {};
  const { keys = usualKeys } = wire ?? {};
  const keyParameters = keys.flatMap(([place, name]) => (place === 'query' ? [name] : []));
  const bad = (error: string): Failure => ({ status: 400, headers: responseHeaders, body: { error } });
  return (request, parameters) => {
    const sent = keyOf(request, keys);
    const isOpen = keys.length === 0 || apiKey === null || request.headers.has(streamHeader);
    if (!isOpen && (apiKey === undefined ? !sent : sent !== apiKey))
      return known['Unauthorized'] ?? { status: 401, headers: {}, body: { error: 'no key' } };
    const given = Object.keys(parameters).filter((name) => !keyParameters.includes(name));
    const unknown = given.find((name) => !names.includes(name));
    if (unknown !== undefined)
      return bad(`unknown parameter '${unknown}': the operation has ${names.join(', ') || 'none'}`);
    const missing = required.find((name) => !given.includes(name));
    if (missing !== undefined) return bad(`'${missing}' is missing`);
    const chosen = exactlyOneOf.filter((name) => given.includes(name));
    if (exactlyOneOf.length > 0 && chosen.length !== 1) return bad(`send exactly one of ${exactlyOneOf.join(', ')}`);
    return undefined;
  };
}

/** A failure as a response. */
const respondWith = ({ status, body, headers }: Failure): Response =>
  body === undefined
    ? new HttpResponse(null, { status, headers })
    : HttpResponse.json(body as object, { status, headers });

/** The lines or events of a stream. */
function streamOf(items: AsyncIterable<unknown> | Iterable<unknown>, kind: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const write = (item: unknown): string =>
    kind === 'event-stream' ? `data: ${JSON.stringify(item)}\n\n` : `${JSON.stringify(item)}\n`;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const item of items) yield encoder.encode(write(item));
  }
  const source = pieces();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await source.return(undefined)),
  });
}

/** A success response with this body. */
function replyWith(body: unknown, name: string, options: AnswerOptions): Response {
  const declared = replies[name] ?? [{ status: 200, type: 'application/json', kind: 'json' }];
  const reply = declared.find(({ status }) => status === options.status) ?? declared[0];
  const { type, kind = 'binary', headers: own = {} } = reply ?? {};
  const status = options.status ?? reply?.status ?? 200;
  const headers = { ...responseHeaders, ...own, ...options.headers };
  if (type === undefined) return new HttpResponse(null, { status, headers });
  if (kind === 'json') return HttpResponse.json(body as object, { status, headers });
  const content =
    kind === 'text' || kind === 'binary'
      ? (body as BodyInit | null)
      : streamOf((body ?? []) as Iterable<unknown>, kind);
  return new HttpResponse(content, { status, headers: { ...headers, 'content-type': type } });
}

/** Where an operation is. */
interface Route {
  readonly baseUrl: string;
  readonly path: string;
  readonly method: string;
  /** Its method and path. */
  readonly key: string;
  /** Its group and name. */
  readonly name: string;
  /** Whether its handlers are only for answers that arrive in parts, or are the last ones. */
  readonly role?: 'stream' | 'last';
}

function mockOf(
  { baseUrl, path, method, key, name: ofMethod, role }: Route,
  row: OperationRow,
  example: unknown,
  check: Check,
): AnyMock {
  const { items = '' } = row;
  const handle = http[method as 'get'];
  const names = namesIn(path);
  // The names of msw have letters and digits only.
  const url = baseUrl + names.reduce((route, name, index) => route.replace(`{${name}}`, `:p${index}`), path);
  const handler = (reply: (request: Request) => Response | Promise<Response>, { once = false }: HandlerOptions) => {
    let isUsed = false;
    // msw counts a call that a handler leaves to the next one as its use.
    return handle(
      url,
      ({ request }) => {
        const asked = request.headers.get(streamHeader);
        if (asked === 'own' && role === 'last') return new HttpResponse(null, { status: noHandler });
        if (role === 'stream' ? asked !== 'own' : asked === 'own') return undefined;
        if (once && isUsed) return undefined;
        isUsed = true;
        return reply(request);
      },
      { once: once && key !== questions },
    );
  };
  const mock: AnyMock = {
    answers: (answer, options = {}) =>
      handler(async (request) => {
        const values = patternOf(path).exec(new URL(request.url).pathname)?.slice(1) ?? [];
        const parameters = await receivedOf(request, path, values, row, inputs[key] ?? {});
        const failure = check(request, parameters);
        if (failure !== undefined) return respondWith(failure);
        const answered = typeof answer === 'function' ? await (answer as AnswerOf)({ parameters, request }) : answer;
        return replyWith(answered, ofMethod, options);
      }, options),
    fails: (name, { once = false, retryAfter = 1 } = {}) =>
      handler(
        () => {
          if (name === 'ConnectionError') return HttpResponse.error();
          const { status, body, headers } = known[name] ?? { status: 500, headers: {} };
          const wait = 'Retry-After' in headers ? { 'Retry-After': String(retryAfter) } : {};
          return respondWith({ status, body, headers: { ...headers, ...wait } });
        },
        { once },
      ),
    pages: (all) =>
      mock.answers(({ parameters }: { readonly parameters: PageParameters }) => {
        const from = Number(parameters.cursor?.replace('page.', '') ?? 0);
        const to = from + (parameters.limit ?? defaultLimit);
        const next: Page =
          to < all.length
            ? { next_cursor: `page.${to}`, has_next_page: true }
            : { next_cursor: null, has_next_page: false };
        return { ...Object(example), [items]: all.slice(from, to), ...next } as object;
      }),
  };
  return mock;
}

/** An expression with a group for each parameter of a path, as it is in the URL. A service may have a path before it. */
const patternOf = (path: string): RegExp =>
  new RegExp(`${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^{}]*\}/g, '([^/]*)')}$`);
