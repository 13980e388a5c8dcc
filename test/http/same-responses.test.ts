import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { Agent, request as send } from 'node:http';
import { operations } from '../../generated/operations.ts';
import type { Assistant } from '../../server/assistant/assistant.ts';
import type { Handlers } from '../../server/contract/operations.ts';
import type { CorsOrigins } from '../../server/config/cors-origins.ts';
import { createCursors } from '../../server/contract/cursor.ts';
import { createOperations } from '../../server/operations/index.ts';
import type { SavedSearches } from '../../server/ports/saved-searches.ts';
import { createRevisions } from '../../server/operations/revisions.ts';
import { CursorWait } from '../../server/realtime/cursor-wait.ts';
import { record, world } from '../archive/rules/arbitrary.ts';
import { exampleAnswer, plainIds } from '../support/contract.ts';
import { rounds } from '../support/rounds.ts';
import { key, otherKey, startService, type Service } from '../support/service.ts';
import { openArchiveOf } from '../support/stored-archive.ts';
import { noEvents, noTokens } from '../support/other-parts.ts';

interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string | string[]>;
}

/** Values for each parameter: good ones, and those that are wrong, unusual or written otherwise. */
const values: Record<string, readonly string[]> = {
  username: ['u1', 'U2', '@u3', '%40u3', 'u9', 'no%20such', 'a-b', ''],
  user_id: ['1', '2', '99', 'x', '1+', '%31'],
  tweet_id: ['1', '2', '3', '70', '0x1', '%201'],
  id: ['901', '902', '903', 'space1', 'sp%61ce1', 'a:b', 'a%3Ab'],
  query: [
    'coffee',
    'coffee+OR+run',
    'from:u1',
    'from%3Au1',
    'within_time:30000d',
    'caf%C3%A9',
    '%22night%20run%22',
    '(coffee',
    '%E0%A4%A',
    '%',
    "it's",
    '$BTC',
    '[x]',
    'a=b',
  ],
  query_type: ['Latest', 'Top', 'top', 'L%61test'],
  limit: ['1', '2', '20', '100', '0', '101', '02', '1.0', '1e1', '+5', '%35', '-1', '9007199254740993'],
  include_replies: ['0', '1', '2', 'true'],
  resolve_cashtags: ['1', 'solana', 'true'],
  since_time: ['0', '1770000000', '253402300800', '1770000000.5'],
  until_time: ['1770050000', '0'],
  cursor: ['WzFd.AAAAAAAAAAAAAAAAAAAAAA', 'x', 'a%2Bb'],
};
const anything = ['1', 'x', '', 'a b', '%', '%00', 'é', '🙂'];
const pair = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .constantFrom(...names)
        .chain((name) => fc.constantFrom(...values[name]!).map((value) => `${name}=${value}`)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...names, 'limit[]', 'api_key', 'usrname', '__proto__', 'constructor', ''),
          fc.constantFrom(...anything),
        )
        .map(([name, value]) => `${name}=${encodeURI(value)}`),
    },
    { weight: 1, arbitrary: fc.constantFrom('limit', '', `api_key=${key}`, 'a=b=c', '%6cimit=2') },
  );
const gets = plainIds.filter(
  (id) =>
    operations[id].method === 'get' &&
    id !== 'explainTweet' &&
    !operations[id].path.includes('{') &&
    operations[id].parameters.every((name) => Object.hasOwn(values, name)),
);
const target: fc.Arbitrary<string> = fc.constantFrom(...gets).chain((id) => {
  const { path, parameters, required, exactlyOneOf } = operations[id];
  const needed: readonly string[] = [...required, ...exactlyOneOf.slice(0, 1)];
  const good = fc.tuple(
    ...needed.map((name) => fc.constantFrom(...values[name]!.slice(0, 2)).map((value) => `${name}=${value}`)),
  );
  const others = parameters.length === 0 ? fc.constant<string[]>([]) : fc.array(pair(parameters), { maxLength: 2 });
  const place = fc.oneof(
    { weight: 20, arbitrary: fc.constant(path as string) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `${path}/`,
        path.toUpperCase(),
        `/${path}`,
        `http://other.example${path}`,
        path.replace('o', '%6F'),
      ),
    },
  );
  return fc
    .tuple(place, good, others)
    .map(([at, all, more]) => (all.length + more.length === 0 ? at : `${at}?${[...all, ...more].join('&')}`));
});
const header = <Value>(name: string, usual: fc.Arbitrary<Value>, nil = 3) =>
  fc.option(usual, { nil: undefined, freq: nil }).map((value) => (value === undefined ? {} : { [name]: value }));
const credentials = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom({ 'x-api-key': key }, { 'x-api-key': otherKey }, { authorization: `Bearer ${key}` }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string | string[]>>(
      {},
      { 'x-api-key': 'sd_nobody' },
      { 'x-api-key': [key, key] },
      { authorization: `bearer  ${key}` },
      { authorization: 'Basic eDp5', 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
      { authorization: `Bearer  ${key}` },
      { authorization: `Bearer \t${key}` },
    ),
  },
);
/** Names of headers have no case (RFC 9110 §5.1). */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
];
const spelled = (all: Asked['headers'], spell: (name: string) => string): Asked['headers'] =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [spell(name), value]));
const headers = fc
  .tuple(
    credentials,
    header(
      'accept-encoding',
      fc.constantFrom(
        'gzip',
        'br, gzip',
        'deflate',
        'identity',
        '*',
        'gzip;q=0',
        'gzip;q=0.5, br;q=0.1',
        'zstd',
        'identity;q=0',
      ),
    ),
    header('x-request-id', fc.constantFrom('trace-1', 'two words', 'x'.repeat(65))),
    header('origin', fc.constantFrom('https://app.example', 'https://evil.example')),
    header(
      'x-event-cursor',
      fc.constantFrom<string | string[]>(
        ...['epoch.1', 'epoch.0', 'other_epoch.7', '-.5', ''],
        ...['x', 'epoch', 'epoch.', '.1', 'epoch.-1', 'epoch.1.2', 'epoch.01', 'e:1', 'epoch.1234567890123456'],
        `${'e'.repeat(33)}.1`,
        ['epoch.1', 'epoch.1'],
      ),
      1,
    ),
    header('if-match', fc.constantFrom('*', '"x"', 'W/"x"', 'x', ''), 8),
    header('if-none-match', fc.constantFrom<string | string[]>('W/"x"', '"x", *', 'x', '', '*', ['"x"', '"y"']), 4),
    header('if-unmodified-since', fc.constantFrom('Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday'), 4),
    header('range', fc.constant('bytes=0-1'), 4),
    header('te', fc.constant('trailers'), 4),
    header('cache-control', fc.constantFrom('no-cache', 'no-store'), 1),
    header('if-modified-since', fc.constant('Thu, 01 Jan 2026 00:00:00 GMT'), 1),
    header('accept', fc.constantFrom('application/json', 'text/html', '*/*'), 1),
    header('content-type', fc.constantFrom('text/plain', 'application/json'), 1),
  )
  .map((parts) => Object.assign({}, ...parts) as Asked['headers'])
  .chain((all) => fc.constantFrom(...spellings).map((spell) => spelled(all, spell)));
const method = fc.oneof(
  { weight: 14, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'DELETE', 'OPTIONS') },
);
const asked: fc.Arbitrary<Asked> = fc.record({ method, target, headers });
/** Which If-None-Match the second time: none, the right one in some form, or another. */
const condition = fc.constantFrom<((etag: string) => string) | undefined>(
  undefined,
  (etag) => etag,
  (etag) => `"x", ${etag}`,
  (etag) => etag.slice(2),
  () => '*',
  () => 'W/"x"',
);

const withoutCondition = ({ headers }: Asked): Asked['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^if-none-match$/i.test(name)));

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());
interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}
function ask(service: Service, { method, target, headers }: Asked): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  send({ agent, host: '127.0.0.1', port: service.port, method, path: target, headers }, (answer) => {
    answer
      .toArray()
      .then(
        (chunks) => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
        reject,
      );
  })
    .on('error', reject)
    .end();
  return promise;
}

/** All that must be the same: not when it was, nor the ids that the server makes, nor the seconds that passed. */
function comparable({ status, headers, body }: Answer, asked: Asked) {
  const { date: _, ...rest } = headers;
  if (Object.entries(asked.headers).every(([name, value]) => !/^x-request-id$/i.test(name) || value !== 'trace-1'))
    delete rest['x-request-id'];
  if (rest.ratelimit !== undefined) rest.ratelimit = String(rest.ratelimit).replace(/t=\d+/, 't=…');
  return { status, headers: rest, body: body.toString('latin1') };
}

const { archive, content, platform, close } = await openArchiveOf([
  ...world,
  ...fc.sample(record, { numRuns: 200, seed: 7 }),
  {
    kind: 'space',
    space: { id: 'space1', title: 'Talk', state: 'live', host_id: '1', created_at: '2026-01-01T00:00:00Z' },
  },
]);
afterAll(close);
const assistant = { status: () => exampleAnswer('getAssistantStatus') } as unknown as Assistant;
const handlers = createOperations({
  platform,
  cursors: createCursors(Buffer.alloc(32)),
  assistant,
  resolver: { resolve: async () => null },
  tokens: noTokens,
  searches: {} as SavedSearches,
  events: noEvents,
});

const cursorWait = new CursorWait({
  epoch: 'epoch',
  get head() {
    return content.commit;
  },
  onHead: () => () => {},
});

/** The same handlers, with the number of their calls. */
function counted(): { handlers: Handlers; calls: () => number } {
  let calls = 0;
  const all = Object.entries(handlers).map(([id, handler]) => [id, (call: never) => ((calls += 1), handler(call))]);
  return { handlers: Object.fromEntries(all) as Handlers, calls: () => calls };
}

describe.each<[string, CorsOrigins]>([
  ['every origin', '*'],
  ['a list of origins', ['https://app.example', 'https://other.example']],
])('with %s', (_name, corsOrigins) => {
  let once: Service;
  let always: Service;
  const calls = { once: counted(), always: counted() };
  beforeAll(async () => {
    // A bucket that does not fill while the test runs.
    const parts = {
      corsOrigins,
      rateLimit: { requests: 1_000_000, periodMs: 3.6e12 },
      revisionOf: createRevisions(platform),
      eventCursor: () => `epoch.${content.commit}`,
      cursorReached: (cursor: string) => cursorWait.reached(cursor),
    };
    once = await startService({ ...parts, handlers: calls.once.handlers, validate: 'once' });
    always = await startService({ ...parts, handlers: calls.always.handlers, validate: 'always' });
  });
  afterAll(() => Promise.all([once.stop(0), always.stop(0)]));

  test('the fast path and Express return the same bytes: first, cached and for If-None-Match, while the archive changes', async () => {
    await fc.assert(
      fc.asyncProperty(asked, condition, fc.array(record, { maxLength: 2 }), async (request, conditionOf, changes) => {
        const both = async (each: Asked): Promise<Answer> => {
          const [fast, full] = [await ask(once, each), await ask(always, each)];
          expect(comparable(fast, each)).toEqual(comparable(full, each));
          return fast;
        };
        const {
          headers: { etag },
        } = await both(request);
        const again =
          conditionOf === undefined || etag === undefined
            ? request
            : { ...request, headers: { ...withoutCondition(request), 'if-none-match': conditionOf(String(etag)) } };
        await both(again);
        await archive.apply(changes);
        await both(again);
      }),
      // Fewer may hold no request that is asked again, whose answer is kept.
      { numRuns: Math.max(60, rounds(corsOrigins === '*' ? 60 : 30)) },
    );
    const operationsOf = (service: Service): unknown[] =>
      service.log.map(({ method, path, status, operation, key: by, code, parameter, msg }) => ({
        method,
        path,
        status,
        operation,
        by,
        code,
        parameter,
        msg,
      }));
    expect(operationsOf(once)).toEqual(operationsOf(always));
    // Some of them were kept, or it was not two ways that were compared.
    expect(calls.once.calls()).toBeLessThan(calls.always.calls());
  });
});
