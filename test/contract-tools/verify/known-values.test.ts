import { describe, expect, test } from '@jest/globals';
import type { Call } from '../../../scripts/contract-tools/verify/call.ts';
import { linkedBodies } from '../../../scripts/contract-tools/verify/known-values.ts';

const call: Call = { method: 'GET', path: '/things', query: [{ name: 'size', value: 'a"b' }], headers: [], keys: [] };
const answer = {
  things: [
    { id: '1', name: 'one' },
    { id: '2"', name: 'two' },
    { id: '1', name: 'again' },
  ],
  next: null,
};

describe('the bodies of a link', () => {
  test('a string with an embedded expression results in one JSON body for each value, escaped as JSON', () => {
    const bodies = linkedBodies('{"id":"{$response.body#/things/0/id}"}', call, answer);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([{ id: '1' }, { id: '2"' }]);
  });
  test('further expressions take their first value', () => {
    const text = '{"id":"{$response.body#/things/0/id}","size":"{$request.query.size}"}';
    expect(linkedBodies(text, call, answer).map((body) => JSON.parse(body) as unknown)).toEqual([
      { id: '1', size: 'a"b' },
      { id: '2"', size: 'a"b' },
    ]);
  });
  test('an expression alone is the body itself', () => {
    expect(linkedBodies('$response.body#/things/0', call, answer).map((body) => JSON.parse(body) as unknown)).toEqual(
      answer.things,
    );
  });
  test('a missing value in the response results in no body', () => {
    expect(linkedBodies('{"id":"{$response.body#/next}"}', call, answer)).toEqual([]);
    expect(linkedBodies('{"id":"{$response.body#/things/0/id}","x":"{$response.body#/none}"}', call, answer)).toEqual(
      [],
    );
  });
  test('an object is a literal, as in OpenAPI 3.1', () => {
    expect(linkedBodies({ id: '$response.body#/things/0/id' }, call, answer)).toEqual([
      '{"id":"$response.body#/things/0/id"}',
    ]);
  });
});
