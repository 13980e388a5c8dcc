// Tests server/http/pipeline/exchange.ts and server/http/pipeline/send.ts.
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Exchange, setHeaderPairs } from '../../../server/http/pipeline/exchange.ts';
import { Representation } from '../../../server/http/pipeline/representation.ts';
import { initialFacts } from '../../../server/http/pipeline/request-summary.ts';
import type { ContentPreferences } from '../../../server/http/pipeline/send.ts';
import { startScripted, type Scripted } from '../../support/scripted.ts';

let act: (request: IncomingMessage, response: ServerResponse) => void;
let server: Scripted;
beforeAll(async () => void (server = await startScripted((request, response) => act(request, response))));
afterAll(() => server.stop());

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}
/** What a caller gets from an exchange. */
async function answerOf(
  send: (exchange: Exchange) => Promise<void> | undefined | void,
  preferences: Partial<ContentPreferences> = {},
  headers?: string[],
): Promise<Answer> {
  act = (request, response) => {
    const all = { acceptEncoding: undefined, ifNoneMatch: undefined, ...preferences };
    void send(new Exchange(request, response, initialFacts('r1', 'GET'), [], all, headers));
  };
  const response = await new Promise<IncomingMessage>((resolve) => get(server.url, resolve));
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(await response.toArray()) };
}

const short = new Representation(Buffer.from('{"text":"short"}'));
const foreign = new Representation(Buffer.from('{"text":"kürzer"}'));
const long = new Representation(Buffer.from('{"text":"again and again"}'.repeat(100)));
const large = new Representation(Buffer.from('{"text":"again and again"}'.repeat(10_000)));

describe('a representation', () => {
  test('is sent with the headers of the exchange, and an ETag only where it is asked for', async () => {
    const answer = await answerOf((exchange) => exchange.send(short, false), {}, ['X-Own', '1']);
    expect([answer.status, answer.bytes.toString()]).toEqual([200, '{"text":"short"}']);
    expect(answer.headers).toMatchObject({
      'x-own': '1',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '16',
    });
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect((await answerOf((exchange) => exchange.send(short, true))).headers.etag).toBe(short.etag);
  });
  test('has the media type and the status that were set', async () => {
    const { status, headers, bytes } = await answerOf((exchange) => {
      exchange.response.statusCode = 201;
      return exchange.send(foreign, false, 'text/csv');
    });
    expect([status, headers['content-type'], bytes.equals(foreign.bytes)]).toEqual([201, 'text/csv', true]);
  });
  test.each([
    ['a short text', new Representation(Buffer.from('{"text":"again and again"}'.repeat(60)))],
    ['a page', long],
    ['a large body', large],
  ])('of %s is compressed for a caller who accepts that', async (_case, representation) => {
    const plain = await answerOf((exchange) => exchange.send(representation, true));
    expect(plain.bytes.equals(representation.bytes)).toBe(true);
    const { status, headers, bytes } = await answerOf((exchange) => exchange.send(representation, true), {
      acceptEncoding: 'br',
    });
    expect([status, headers['content-encoding'], headers.etag]).toEqual([200, 'br', representation.etag]);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(brotliDecompressSync(bytes).equals(representation.bytes)).toBe(true);
  });
  test('is 304 without a body for a caller who has it, where the response is conditional', async () => {
    const preferences = { ifNoneMatch: short.etag };
    const { status, headers, bytes } = await answerOf((exchange) => exchange.send(short, true), preferences, [
      'X-A',
      '1',
    ]);
    expect([status, headers['x-a'], headers.etag, bytes.length]).toEqual([304, '1', short.etag, 0]);
    expect(headers).not.toHaveProperty('content-type');
    expect((await answerOf((exchange) => exchange.send(short, false), preferences)).status).toBe(200);
    expect((await answerOf((exchange) => exchange.send(long, true), preferences)).status).toBe(200);
  });
});

test('the headers move to the response once, for code that writes it itself', async () => {
  const { headers } = await answerOf(
    (exchange) => {
      expect(exchange.key).toBeUndefined();
      exchange.applyHeaders();
      expect(exchange.headers).toEqual([]);
      exchange.response.setHeader('X-A', 'later');
      exchange.applyHeaders();
      exchange.response.end();
    },
    {},
    ['X-A', 'first', 'X-B', 'b'],
  );
  expect(headers).toMatchObject({ 'x-a': 'later', 'x-b': 'b' });
});

test('headers are set in pairs; a name without a value is left out', async () => {
  const { headers } = await answerOf(({ response }) => {
    setHeaderPairs(response, ['X-A', '1', 'X-B', '', 'X-A', '2', 'X-C']);
    expect(() => setHeaderPairs(response, ['X-D', 'a\nb'])).toThrow(/Invalid character/);
    response.end();
  });
  expect(headers).toMatchObject({ 'x-a': '2', 'x-b': '' });
  expect(headers).not.toHaveProperty('x-c');
});
