/** Faults of keys, methods, paths, HEAD, conditional requests and request ids. */
import { adding, answering, asking, askingWith, error, lacking, type Lie } from '../faulty-service.ts';
import { key, pool, type PlantedFault } from './fault.ts';

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

export const faultsOfAccess: Readonly<Record<string, PlantedFault>> = {
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
};
