import cors from 'cors';
import type { RequestHandler } from 'express';
import { describe, expect, test } from '@jest/globals';
import { createPrecomputedHeaders } from '../../../server/http/pipeline/precomputed-headers.ts';

const always: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Always', 'yes');
  response.setHeader('X-List', ['a', 'b']);
  next();
};
const seen: unknown[] = [];
const watching: RequestHandler = ({ method, url }, _response, next) => {
  seen.push([method, url]);
  next();
};

describe('the headers of every response', () => {
  test('are those of the middleware, and Vary has Accept-Encoding', () => {
    const headersFor = createPrecomputedHeaders([watching, always], '*');
    const expected = ['X-Always', 'yes', 'X-List', 'a,b', 'Vary', 'Accept-Encoding'];
    expect([headersFor(undefined), headersFor('https://a.example')]).toEqual([expected, expected]);
    // The request is one for the contract, so that it has the headers of CORS.
    expect(seen).toEqual([['GET', '/openapi.json']]);
  });
  test('depend on the origin where the origins are listed', () => {
    const origins = ['https://a.example', 'https://b.example'];
    const headersFor = createPrecomputedHeaders([cors({ origin: origins })], origins);
    const allowed = (origin: string): string[] => [
      ...['Access-Control-Allow-Origin', origin, 'Vary', 'Origin, Accept-Encoding'],
    ];
    expect(headersFor('https://b.example')).toEqual(allowed('https://b.example'));
    expect(headersFor('https://a.example')).toEqual(allowed('https://a.example'));
    for (const other of [undefined, 'https://c.example'])
      expect(headersFor(other)).toEqual(['Vary', 'Origin, Accept-Encoding']);
  });
  test('cannot be computed where the middleware fails', () => {
    const failing: RequestHandler = (_request, _response, next) => next(new Error('no headers'));
    expect(() => createPrecomputedHeaders([failing], '*')).toThrow('no headers');
  });
});
