/** Faults of responses: bodies, statuses, headers, media types and errors. */
import { adding, answering, body, lacking } from '../faulty-service.ts';
import { media, members, pool, search, space, type PlantedFault } from './fault.ts';

export const faultsOfResponses: Readonly<Record<string, PlantedFault>> = {
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
};
