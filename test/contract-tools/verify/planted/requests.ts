/** Faults in what is accepted: errors and silence on unusual input, and invalid input that is accepted. */
import { asking, askingWith, error, type Lie } from '../faulty-service.ts';
import { bodyOfAsked, when, type PlantedFault } from './fault.ts';

/** A service whose answers never come for odd input. */
const silent: Lie = { answer: (reply, { target }) => (target.includes('limit=100') ? undefined : reply) };
/** A connection that breaks instead of an answer. */
const breaking: Lie = {
  answer: (reply, { target }, response) => {
    if (!target.includes('%F0%9F')) return reply;
    response.destroy();
    return undefined;
  },
};

export const faultsOfRequests: Readonly<Record<string, PlantedFault>> = {
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
    timeoutMs: 1_000,
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
