/**
 * The types of calls and replies, by an operation as openapi-typescript describes it. The compiler checks them: `npm run typecheck`
 * fails where a line below `@ts-expect-error` compiles, or another one does not.
 */
import { expect, test } from '@jest/globals';
import type { Answer, CallOf, Reply as ReplyTo, ReplyOf, ResultOf, Schemas } from '../../server/contract/operations.ts';

interface Problem {
  title: string;
}
interface Create {
  parameters: {
    query: { tags: string[]; limit?: number; page?: number };
    header: { 'X-Tenant': number; 'X-Trace'?: string; Accept?: string };
    path: { id: 1 | 2 };
    cookie?: { session?: string };
  };
  requestBody?: { content: { 'application/json': { note: string }; 'image/*': unknown; 'text/csv': string } };
  responses: {
    200: { headers: { [name: string]: unknown }; content: { 'application/json': { id: string } } };
    201: {
      headers: { Location: string; RateLimit: string; ETag?: string; [name: string]: unknown };
      content: { 'application/json': { id: string }; 'application/x-ndjson': { line: number }; 'image/*': unknown };
    };
    204: { headers: { [name: string]: unknown }; content?: never };
    '4XX': { headers: { [name: string]: unknown }; content: { 'application/problem+json': Problem } };
    404: { headers: { [name: string]: unknown }; content?: never };
    default: { headers: { 'X-Reason': string; [name: string]: unknown }; content: { 'application/json': Problem } };
  };
}
type Entry = { defaults: { limit: 20 }; cookieDefaults: { session: 'a' } };
type Call = CallOf<Create, Entry>;
type Reply = ReplyOf<Create>;

const bytes = new Uint8Array([1]);
async function* lines() {
  yield { line: 1 };
}

const replies: Reply[] = [
  { status: 200, body: { id: '1' } },
  {
    status: 201,
    headers: { Location: '/1' },
    contentType: 'application/json',
    body: { id: '1' },
  },
  { status: 201, headers: { Location: '/1', ETag: '"1"' }, contentType: 'application/x-ndjson', body: lines() },
  { status: 201, headers: { Location: '/1' }, contentType: 'image/png', body: bytes },
  { status: 201, headers: { Location: '/1' }, contentType: 'image/png', body: new Blob([bytes]) },
  { status: 204 },
  { status: 404 },
  { status: 409, body: { title: 'x' } },
  { status: 503, headers: { 'X-Reason': 'busy' }, body: { title: 'x' } },
];

const refused: Reply[] = [
  // @ts-expect-error the contract has no such body
  { status: 200, body: { id: 1 } },
  // @ts-expect-error the body is missing
  { status: 200 },
  // @ts-expect-error this status has no body
  { status: 204, body: { id: '1' } },
  // @ts-expect-error the required header is missing
  { status: 201, contentType: 'application/json', body: { id: '1' } },
  // @ts-expect-error the response has several media types
  { status: 201, headers: { Location: '/1' }, body: { id: '1' } },
  // @ts-expect-error the response has no such media type
  { status: 201, headers: { Location: '/1' }, contentType: 'text/csv', body: '' },
  // @ts-expect-error the body belongs to another media type
  { status: 201, headers: { Location: '/1' }, contentType: 'application/json', body: bytes },
  // @ts-expect-error the contract has no such header
  { status: 204, headers: { 'X-Other': 'a' } },
  // @ts-expect-error the server sets this header
  { status: 201, headers: { Location: '/1', RateLimit: 'x' }, contentType: 'application/json', body: { id: '1' } },
  // @ts-expect-error a header of another type
  { status: 201, headers: { Location: 1 }, contentType: 'application/json', body: { id: '1' } },
  // @ts-expect-error the exact response of this status has no body
  { status: 404, body: { title: 'x' } },
  // @ts-expect-error no registered status
  { status: 299, headers: { 'X-Reason': 'busy' }, body: { title: 'x' } },
];

interface OnlyOk {
  parameters: { query?: never; header?: never; path?: never; cookie?: never };
  requestBody?: never;
  responses: { 200: { headers: { [name: string]: unknown }; content: { 'application/json': { id: string } } } };
}
interface WithBody {
  parameters: OnlyOk['parameters'];
  requestBody: { content: { 'application/octet-stream': unknown } };
  responses: OnlyOk['responses'] & {
    304: { headers: { ETag: string; [name: string]: unknown }; content?: never };
  };
}

/** Compiles only if the type has exactly these values. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
const same: [
  Same<Call['query']['limit'], number>,
  Same<Call['query']['page'], number | undefined>,
  Same<Call['query']['tags'], string[]>,
  Same<keyof Call['headers'], 'X-Tenant' | 'X-Trace'>,
  Same<Call['headers']['X-Tenant'], number>,
  Same<Call['cookies']['session'], string>,
  Same<Call['path']['id'], 1 | 2>,
  Same<Extract<Call, { contentType: 'application/json' }>['body'], { note: string }>,
  Same<Extract<Call, { contentType: 'text/csv' }>['body'], string>,
  Same<Extract<Call, { contentType: `image/${string}` }>['body'], Blob>,
  Same<Extract<Call, { contentType: undefined }>['body'], undefined>,
  Same<Call['accept'], 'application/json' | 'application/x-ndjson' | 'image/*'>,
  Same<CallOf<OnlyOk, object>['body'], undefined>,
  Same<CallOf<WithBody, object>['body'], Blob>,
  Same<ResultOf<OnlyOk, { success: 200 }>, { id: string }>,
  Same<ReplyOf<WithBody>['status'], 200>,
  Same<Answer<'getSpace'>, Schemas['Space']>,
  Same<Extract<ReplyTo<'getSpace'>, { status: 404 }>['body'], Schemas['Error']>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];

test('the compiler accepts the replies that the contract has, and refuses others', () => {
  expect([replies.length, refused.length, same.every(Boolean)]).toEqual([9, 12, true]);
});
