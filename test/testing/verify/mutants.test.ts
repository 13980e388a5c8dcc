/** Faults planted in the service, one at a time: each must be found, with a line for curl that shows it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readContract } from '../../../scripts/testing/verify/contract.ts';
import type { KnownValues } from '../../../scripts/testing/verify/known-values.ts';
import { verify, type Finding } from '../../../scripts/testing/verify/verify.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../../support/local-server.ts';
import {
  adding,
  answering,
  asking,
  askingWith,
  body,
  error,
  lacking,
  startLiar,
  type Lie,
  type UpstreamReply,
} from './faulty-service.ts';

const key = 'sd_test0001_QmVhbnNUb21hdG9lc09uaW9ucw';
const document = JSON.parse(
  readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'),
) as object;
const contract = readContract(document);

let server: LocalServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Learnt of the service before anything is planted in it. */
let known: KnownValues;
let liar: Awaited<ReturnType<typeof startLiar>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, {
    API_KEYS: key,
    RATE_LIMIT: 'off',
    FAILED_KEYS: 'off',
    ASSISTANT_QUOTA: '1000',
  });
  liar = await startLiar(server.url);
  ({ known } = await verify({ base: server.url, contract, key, seed: 1, runs: 0, operations: ['getAssistantStatus'] }));
});
afterAll(async () => {
  await liar?.stop();
  await server?.end();
  await folder?.dispose();
});

interface Mutant {
  readonly lie: Lie;
  readonly operation: string;
  readonly check: string;
  /** The end of the place in the contract that the fault breaks. */
  readonly pointer: string | RegExp;
  /** What the output of the line for curl shows: head and body of the answer. */
  readonly shows: RegExp;
}

const space = '/social/space/detail';
const media = '/social/community/media';
const members = '/social/community/members';
const search = '/social/tweet/advanced_search';
const pool = '/social/assistant/status';

const when = (applies: (target: string) => boolean, change: (reply: UpstreamReply) => UpstreamReply): Lie => ({
  answer: (reply, { target }) => (applies(target) ? change(reply) : reply),
});
const bodyOfAsked = (change: (text: string) => string): Lie => ({
  ask: (received) => ({ ...received, body: Buffer.from(change(received.body.toString())) }),
});
/** The last item of a page comes again at the head of the next. */
function repeating(): Lie {
  const last = new Map<string, unknown>();
  return answering(media, (reply, { target }) =>
    body((page) => {
      const list = target.replace(/&?cursor=[^&]*/, '');
      if (target.includes('cursor=')) page.tweets.unshift(last.get(list));
      else last.set(list, page.tweets.at(-1));
    })(reply),
  );
}
/** A service whose answers never come for odd input. */
const silent: Lie = { answer: (reply, { target }) => (target.includes('limit=100') ? undefined : reply) };
/** Every response has the same ETag, and a condition with it matches. */
const oneTag: Lie = {
  ...askingWith((headers) =>
    headers.map(([name, value]) => (name === 'if-none-match' && value.includes('same') ? [name, '*'] : [name, value])),
  ),
  answer: (reply) =>
    reply.headers.some(([name]) => name.toLowerCase() === 'etag')
      ? adding('ETag', 'W/"same"')(lacking('etag')(reply))
      : reply,
};
/** A connection that breaks instead of an answer. */
const breaking: Lie = {
  answer: (reply, { target }, response) => {
    if (!target.includes('%F0%9F')) return reply;
    response.destroy();
    return undefined;
  },
};

const mutants: Record<string, Mutant> = {
  'a count that is a string': {
    lie: answering(
      search,
      body((page) => page.tweets.forEach((tweet: any) => (tweet.like_count = String(tweet.like_count)))),
    ),
    operation: 'searchTweets',
    check: 'schema',
    pointer: '/components/schemas/Count/type',
    shows: /"like_count":"\d+"/,
  },
  'a count below zero': {
    lie: answering(
      search,
      body((page) => page.tweets.forEach((tweet: any) => (tweet.view_count = -1))),
    ),
    operation: 'searchTweets',
    check: 'schema',
    pointer: '/components/schemas/Count/minimum',
    shows: /"view_count":-1/,
  },
  'an item without a member': {
    lie: answering(
      media,
      body((page) => page.tweets.forEach((tweet: any) => delete tweet.text)),
    ),
    operation: 'getCommunityMedia',
    check: 'schema',
    pointer: '/components/schemas/TweetShort/required',
    shows: /200 OK/,
  },
  'only the last item wrong, deep inside': {
    lie: answering(
      search,
      body((page) => page.tweets.slice(-1).forEach((tweet: any) => delete tweet.author.name)),
    ),
    operation: 'searchTweets',
    check: 'schema',
    pointer: '/components/schemas/AuthorShort/required',
    shows: /200 OK/,
  },
  'a page without has_next_page': {
    lie: answering(
      members,
      body((page) => void delete page.has_next_page),
    ),
    operation: 'getUserCommunities',
    check: 'schema',
    pointer: '/components/schemas/CommunitiesPage/required',
    shows: /200 OK/,
  },
  'an extra member': {
    lie: answering(
      space,
      body((value) => void (value.internal_score = 1)),
    ),
    operation: 'getSpace',
    check: 'schema',
    pointer: '/components/schemas/Space/additionalProperties',
    shows: /internal_score/,
  },
  'null where it is not allowed': {
    lie: answering(
      space,
      body((value) => void (value.host = null)),
    ),
    operation: 'getSpace',
    check: 'schema',
    pointer: /Author\/type|host/,
    shows: /"host":null/,
  },
  'a value that is not in the list': {
    lie: answering(
      space,
      body((value) => void (value.state = 'paused')),
    ),
    operation: 'getSpace',
    check: 'schema',
    pointer: /\/components\/schemas\/Space\w*(\/properties\/state)?\/enum/,
    shows: /paused/,
  },
  'a time in another format': {
    lie: answering(
      media,
      body((page) => page.tweets.forEach((tweet: any) => (tweet.created_at = 'yesterday'))),
    ),
    operation: 'getCommunityMedia',
    check: 'schema',
    pointer: '/components/schemas/Timestamp/format',
    shows: /yesterday/,
  },
  'an id that is a number': {
    lie: answering(
      members,
      body((page) => page.communities.forEach((each: any) => (each.id = Number(each.id)))),
    ),
    operation: 'getUserCommunities',
    check: 'schema',
    pointer: '/components/schemas/Id/type',
    shows: /"id":\d/,
  },
  'a truncated response': {
    lie: answering(space, (reply) => ({ ...reply, body: reply.body.subarray(0, -2) })),
    operation: 'getSpace',
    check: 'schema',
    pointer: /responses\/200\/content/,
    shows: /200 OK/,
  },
  'a response with invalid UTF-8': {
    lie: answering(space, (reply) => ({
      ...reply,
      body: Buffer.concat([reply.body.subarray(0, -1), Buffer.from(',"a":"\xff"}', 'latin1')]),
    })),
    operation: 'getSpace',
    check: 'schema',
    pointer: /content/,
    shows: /200 OK/,
  },
  'a status that is not declared': {
    lie: answering(pool, (reply) => ({ ...reply, status: 206 })),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: /responses/,
    shows: /206/,
  },
  'an undeclared status for an error': {
    lie: answering(space, (reply) => ({ ...reply, status: 422 }), 400),
    operation: 'getSpace',
    check: 'status',
    pointer: /./,
    shows: /422/,
  },
  'an undeclared header': {
    lie: answering(pool, adding('X-Powered-By', 'planted')),
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: /responses\/200\/headers$/,
    shows: /X-Powered-By: planted/i,
  },
  'an undeclared header on errors only': {
    lie: answering(space, adding('X-Debug', '1'), 400),
    operation: 'getSpace',
    check: 'headers',
    pointer: '/components/responses/BadRequest/headers',
    shows: /400 Bad Request[^]*x-debug: 1/i,
  },
  'a declared header is missing': {
    lie: answering(pool, lacking('x-request-id')),
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: '/components/headers/X-Request-Id/required',
    shows: /200 OK/,
  },
  'a header in another format': {
    lie: answering(pool, (reply) => adding('X-Event-Cursor', 'nowhere')(lacking('x-event-cursor')(reply))),
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: '/components/headers/X-Event-Cursor/schema',
    shows: /x-event-cursor: nowhere/i,
  },
  'a header twice': {
    lie: answering(pool, adding('ETag', '"another"')),
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: '/components/headers/ETag',
    shows: /etag: "another"/i,
  },
  '401 without a challenge': {
    lie: answering(pool, lacking('www-authenticate'), 401),
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: '/components/headers/WWW-Authenticate/required',
    shows: /401/,
  },
  'another media type': {
    lie: answering(space, (reply) => adding('Content-Type', 'text/html')(lacking('content-type')(reply))),
    operation: 'getSpace',
    check: 'media type',
    pointer: /responses\/200\/content$/,
    shows: /text\/html/,
  },
  'another charset': {
    lie: answering(space, (reply) =>
      adding('Content-Type', 'application/json; charset=latin1')(lacking('content-type')(reply)),
    ),
    operation: 'getSpace',
    check: 'media type',
    pointer: /content$/,
    shows: /latin1/,
  },
  'an error with another schema': {
    lie: answering(
      space,
      body(({ error }) => ({ message: error })),
      400,
    ),
    operation: 'getSpace',
    check: 'schema',
    pointer: /\/components\/schemas\/Error\//,
    shows: /"message"/,
  },
  'an error as an object': {
    lie: answering(
      space,
      body(({ error }) => ({ error: { text: error } })),
      404,
    ),
    operation: 'getSpace',
    check: 'schema',
    pointer: '/components/schemas/Error/properties/error/type',
    shows: /404[^]*"text"/,
  },
  'an error in HTML': {
    lie: answering(
      space,
      (reply) => ({
        ...adding('Content-Type', 'text/html')(lacking('content-type')(reply)),
        body: Buffer.from('<pre>Cannot GET</pre>'),
      }),
      404,
    ),
    operation: 'getSpace',
    check: 'media type',
    pointer: '/components/responses/NotFound/content',
    shows: /<pre>/,
  },
  'an error with a stack': {
    lie: answering(
      space,
      body(({ error }) => ({ error: `${error}\n    at handler (/srv/app.ts:12:3)` })),
      400,
    ),
    operation: 'getSpace',
    check: 'error',
    pointer: '/components/responses/BadRequest',
    shows: /app\.ts:12/,
  },
  'a 400 that does not name the parameter': {
    lie: answering(
      media,
      body(() => ({ error: 'bad request' })),
      400,
    ),
    operation: 'getCommunityMedia',
    check: 'error',
    pointer: '/components/responses/BadRequest',
    shows: /bad request/,
  },
  '500 on an unknown name': {
    lie: when((target) => target.includes('__proto__'), error(500)),
    operation: 'getSpace',
    check: 'status',
    pointer: /parameters$/,
    shows: /500 Internal/,
  },
  '500 on a character': {
    lie: when((target) => /query=[^&]*%00/.test(target), error(500)),
    operation: 'searchTweets',
    check: 'status',
    pointer: /./,
    shows: /500 Internal/,
  },
  '500 at an edge': {
    lie: when((target) => /since_time=0(&|$)/.test(target), error(500)),
    operation: 'getUserMentions',
    check: 'status',
    pointer: /responses/,
    shows: /500 Internal/,
  },
  '500 on a deep body': {
    lie: { answer: (reply, { body: sent }) => (sent.includes('[[[[') ? error(500)(reply) : reply) },
    operation: 'unlikeTweet',
    check: 'status',
    pointer: /./,
    shows: /500 Internal/,
  },
  '500 on a body that is no JSON': {
    lie: { answer: (reply, { body: sent }) => (sent.toString() === '{' ? error(500)(reply) : reply) },
    operation: 'unlikeTweet',
    check: 'status',
    pointer: /./,
    shows: /500 Internal/,
  },
  'no response to unusual input': {
    lie: breaking,
    operation: 'searchTweets',
    check: 'response',
    pointer: /./,
    shows: /Empty reply/,
  },
  'a response that never arrives': {
    lie: silent,
    operation: 'getCommunityMedia',
    check: 'response',
    pointer: /./,
    shows: /timed out/,
  },
  'a limit value is rejected': {
    lie: when((target) => /limit=100(&|$)/.test(target), error(400, "'limit' is too much")),
    operation: 'getCommunityMedia',
    check: 'status',
    pointer: /responses$/,
    shows: /too much/,
  },
  'a value above a limit is accepted': {
    lie: asking((query) => query.replace(/limit=101(?=&|$)/, 'limit=100')),
    operation: 'getCommunityMedia',
    check: 'status',
    pointer: '/components/parameters/limit/schema',
    shows: /200 OK/,
  },
  'a value below a limit is accepted': {
    lie: asking((query) => query.replace(/limit=0(?=&|$)/, 'limit=1')),
    operation: 'getCommunityMedia',
    check: 'status',
    pointer: '/components/parameters/limit/schema',
    shows: /200 OK/,
  },
  'an id one digit too long is accepted': {
    lie: asking((query) => query.replace(/(id=\d{19})\d+/, '$1')),
    operation: 'getCommunityMedia',
    check: 'status',
    pointer: '/components/parameters/id/schema',
    shows: /404 Not Found/,
  },
  'a value in another letter case is accepted': {
    lie: asking((query) => query.replace('query_type=latest', 'query_type=Latest')),
    operation: 'searchTweets',
    check: 'status',
    pointer: '/components/parameters/query_type/schema',
    shows: /200 OK/,
  },
  'an unknown parameter is accepted': {
    lie: asking((query) => query.replace(/(^|&)extra=[^&]*/, '')),
    operation: 'getSpace',
    check: 'status',
    pointer: /parameters$/,
    shows: /200 OK/,
  },
  'a duplicate parameter is accepted': {
    lie: asking((query) => query.replace(/(limit=\d+)&limit=\d+/, '$1')),
    operation: 'getCommunityMedia',
    check: 'status',
    pointer: '/components/parameters/limit',
    shows: /200 OK/,
  },
  'two mutually exclusive parameters are accepted': {
    lie: asking((query) => (/username=/.test(query) ? query.replace(/&?user_id=[^&]*/, '') : query)),
    operation: 'getUserFollowings',
    check: 'status',
    pointer: /x-exactly-one-of$/,
    shows: /200 OK/,
  },
  'broken percent-encoding is accepted': {
    lie: asking((query) => query.replace(/&%$/, '')),
    operation: 'getSpace',
    check: 'status',
    pointer: /parameters$/,
    shows: /200 OK/,
  },
  'a missing parameter gets a value': {
    lie: asking((query) => (query === '' ? 'id=1vSampleSpace1' : query)),
    operation: 'getSpace',
    check: 'status',
    pointer: '/components/parameters/space_id/required',
    shows: /200 OK/,
  },
  'no key is needed': {
    lie: askingWith((headers) => [...headers.filter(([name]) => name !== 'x-api-key'), ['x-api-key', key]]),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/security',
    shows: /200 OK/,
  },
  'a wrong key in the query is accepted': {
    lie: asking((query) => query.replace('api_key=wrong', `api_key=${key}`)),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/security',
    shows: /200 OK/,
  },
  'a bearer token is not checked': {
    lie: askingWith((headers) =>
      headers.map(([name, value]) => (name === 'authorization' ? [name, `Bearer ${key}`] : [name, value])),
    ),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/security',
    shows: /200 OK/,
  },
  'a bearer token does not work': {
    lie: askingWith((headers) =>
      headers.some(([name]) => name === 'x-api-key') ? headers : headers.filter(([name]) => name !== 'authorization'),
    ),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: /responses$/,
    shows: /401/,
  },
  'a duplicate key is accepted': {
    lie: askingWith((headers) =>
      headers.filter(
        ([name], index) => name !== 'x-api-key' || headers.findIndex(([other]) => other === name) === index,
      ),
    ),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/security',
    shows: /200 OK/,
  },
  'a key in two locations is accepted': {
    lie: askingWith((headers) =>
      headers.some(([name]) => name === 'x-api-key') ? headers.filter(([name]) => name !== 'authorization') : headers,
    ),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/security',
    shows: /200 OK/,
  },
  '405 without Allow': {
    lie: answering(pool, lacking('allow'), 405),
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: /Allow/,
    shows: /405/,
  },
  '405 with another Allow': {
    lie: answering(pool, (reply) => adding('Allow', 'GET, POST')(lacking('allow')(reply)), 405),
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: /Allow/,
    shows: /GET, POST/,
  },
  'another method is 404': {
    lie: answering(pool, (reply) => ({ ...lacking('allow')(reply), status: 404 }), 405),
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/paths/~1social~1assistant~1status',
    shows: /404/,
  },
  'another method is accepted': {
    lie: { ask: (received) => (received.method === 'PATCH' ? { ...received, method: 'GET' } : received) },
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/paths/~1social~1assistant~1status',
    shows: /200 OK/,
  },
  'another path is accepted': {
    lie: { ask: (received) => ({ ...received, target: received.target.replace(/\/status\/(?=$|\?)/, '/status') }) },
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/paths',
    shows: /200 OK/,
  },
  'dot segments in the path are resolved': {
    lie: { ask: (received) => ({ ...received, target: received.target.replace('/x/../', '/') }) },
    operation: 'getAssistantStatus',
    check: 'status',
    pointer: '/paths',
    shows: /200 OK/,
  },
  'HEAD has another status': {
    lie: { answer: (reply, { method }) => (method === 'HEAD' ? { ...reply, status: 204 } : reply) },
    operation: 'getSpace',
    check: 'HEAD',
    pointer: /space/,
    shows: /204/,
  },
  'HEAD lacks a header': {
    lie: { answer: (reply, { method }) => (method === 'HEAD' ? lacking('etag')(reply) : reply) },
    operation: 'getSpace',
    check: 'HEAD',
    pointer: /space/,
    shows: /200 OK/,
  },
  'an ETag does not match again': {
    lie: askingWith((headers) => headers.filter(([name]) => name !== 'if-none-match')),
    operation: 'getSpace',
    check: 'conditional',
    pointer: '/components/responses/NotModified',
    shows: /200 OK/,
  },
  'an ETag changes each time': {
    lie: {
      answer: (reply) =>
        reply.status === 200 && reply.headers.some(([name]) => name.toLowerCase() === 'etag')
          ? adding('ETag', `W/"${Math.random()}"`)(lacking('etag')(reply))
          : reply,
    },
    operation: 'getSpace',
    check: 'conditional',
    pointer: '/components/responses/NotModified',
    shows: /200 OK/,
  },
  'any ETag matches': {
    lie: askingWith((headers) =>
      headers.map(([name, value]) => (name === 'if-none-match' ? [name, '*'] : [name, value])),
    ),
    operation: 'getSpace',
    check: 'conditional',
    pointer: '/components/responses/NotModified',
    shows: /304/,
  },
  'one ETag for all responses': {
    lie: oneTag,
    operation: 'getCommunityMedia',
    check: 'conditional',
    pointer: /ETag$/,
    shows: /ETag: W\/"same"/i,
  },
  'If-None-Match: * does not match': {
    lie: askingWith((headers) => headers.filter(([name, value]) => name !== 'if-none-match' || value !== '*')),
    operation: 'getSpace',
    check: 'conditional',
    pointer: '/components/responses/NotModified',
    shows: /200 OK/,
  },
  'an error repeats the API key': {
    lie: { answer: (reply) => (reply.status === 400 ? error(400, `id: not for ${key}`)(reply) : reply) },
    operation: 'getSpace',
    check: 'error',
    pointer: /responses$/,
    shows: new RegExp(key),
  },
  'every response has the same X-Request-Id': {
    lie: { answer: (reply) => adding('X-Request-Id', 'always-the-same-id')(lacking('x-request-id')(reply)) },
    operation: 'getAssistantStatus',
    check: 'headers',
    pointer: '/components/headers/X-Request-Id',
    shows: /always-the-same-id/,
  },
  'another default than the declared one': {
    lie: asking((query) => (query.includes('limit=') ? query : `${query}&limit=1`)),
    operation: 'getCommunityMedia',
    check: 'defaults',
    pointer: /default$/,
    shows: /200 OK/,
  },
  'small pages lose an item': {
    lie: answering(media, (reply, { target }) =>
      target.includes('cursor=') && /limit=[12]\b/.test(target)
        ? adding(
            'ETag',
            `W/"${encodeURIComponent(target)}"`,
          )(lacking('etag')(body((page) => void page.tweets.shift())(reply)))
        : reply,
    ),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'the last page is empty': {
    lie: answering(members, (reply, { target }) =>
      body((page) => void (!page.has_next_page && target.includes('cursor=') && (page.communities = [])))(reply),
    ),
    operation: 'getUserCommunities',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /"communities":\[\]/,
  },
  'a cursor leads to an error': {
    lie: when((target) => target.includes('cursor='), error(400, "'cursor' is not one that this query gave")),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /400/,
  },
  'a page repeats an item': {
    lie: repeating(),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'the next page equals the first': {
    lie: asking((query) => query.replace(/&?cursor=W[\w-]+\.[\w-]{22}(?=&|$)/, '')),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'a page has more items than requested': {
    lie: asking((query) => query.replace(/limit=1(?=&|$)/, 'limit=2')),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'has_next_page without a cursor': {
    lie: answering(
      media,
      body((page) => void (page.has_next_page = true)),
    ),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /"has_next_page":true/,
  },
  'a cursor of another query is accepted': {
    lie: asking((query) => (/cursor=[^&]*[AB](&|$)/.test(query) ? query.replace(/&?cursor=[^&]*/, '') : query)),
    operation: 'getCommunityMedia',
    check: 'pages',
    pointer: /links\/next$/,
    shows: /200 OK/,
  },
  'a conversation is not found': {
    lie: when((target) => target.includes('conversation_id='), error(404, 'conversation not found')),
    operation: 'explainTweet',
    check: 'links',
    pointer: /links\/followUp$/,
    shows: /404/,
  },
  'a link has no target': {
    lie: answering('/social/tweet/retweeters', error(404, 'tweet not found')),
    operation: 'searchTweets',
    check: 'links',
    pointer: '/components/links/RetweetersOfTweet',
    shows: /404/,
  },
  'an unknown member of the body is accepted': {
    lie: bodyOfAsked((text) => text.replace(',"extra":1', '')),
    operation: 'unlikeTweet',
    check: 'status',
    pointer: /additionalProperties$/,
    shows: /200 OK|404 Not Found/,
  },
  'a member of another type is accepted': {
    lie: bodyOfAsked((text) => text.replace(/"tweet_id":1\b/, '"tweet_id":"1"')),
    operation: 'unlikeTweet',
    check: 'status',
    pointer: '/components/schemas/Id/type',
    shows: /404 Not Found/,
  },
  'another media type is accepted': {
    lie: askingWith((headers) =>
      headers.map(([name, value]) => (value === 'text/plain' ? [name, 'application/json'] : [name, value])),
    ),
    operation: 'unlikeTweet',
    check: 'status',
    pointer: /requestBody\/content$/,
    shows: /200 OK|404 Not Found/,
  },
  'a large body is accepted': {
    lie: bodyOfAsked((text) => (text.length > 16_384 ? '{"tweet_id":"1"}' : text)),
    operation: 'unlikeTweet',
    check: 'status',
    pointer: /./,
    shows: /404 Not Found/,
  },
  '429 without Retry-After': {
    lie: { answer: (reply, { target }) => (target.includes('limit=3') ? error(429)(reply) : reply) },
    operation: 'getCommunityMedia',
    check: 'status',
    pointer: /./,
    shows: /429/,
  },
};

/** Runs the line as a person would, at most a second long. */
async function runCurl(line: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line.replace(/\bcurl /, 'curl --max-time 1 ')], {
    env: { ...process.env, API_KEY: key },
  }).catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}
const hasCurl = existsSync('/usr/bin/curl') && existsSync('/bin/bash');

test.each(Object.entries(mutants))('%s', async (_name, { lie, operation, check, pointer, shows }) => {
  liar.tell(lie);
  const report = await verify({
    base: liar.url,
    contract,
    key,
    known,
    seed: 1,
    runs: 0,
    operations: [operation],
    write: true,
    costly: 9,
    timeoutMs: lie === silent ? 1_000 : 20_000,
    maxFailures: 1,
  });
  const [finding] = report.findings as [Finding];
  expect(finding).toMatchObject({ check, repeatable: true });
  if (typeof pointer === 'string') expect(finding.pointer).toBe(pointer);
  else expect(finding.pointer).toMatch(pointer);
  if (hasCurl) expect(await runCurl(finding.curl.at(-1)!)).toMatch(shows);
});

test('a connection that is reset at times is a failure, though another attempt succeeds', async () => {
  let requests = 0;
  liar.tell({
    answer: (reply, _received, response) => {
      if ((requests += 1) % 3 !== 0) return reply;
      response.destroy();
      return undefined;
    },
  });
  const { findings } = await verify({
    base: liar.url,
    contract,
    key,
    known,
    seed: 1,
    runs: 0,
    operations: ['getSpace'],
    maxFailures: 1,
  });
  expect(findings).toMatchObject([{ check: 'response', actual: expect.stringMatching(/ECONNRESET|socket hang up/) }]);
});
