import { describe, expect, test } from '@jest/globals';
import { checkName, handlerText } from '../../../scripts/spec/scaffold/handler.ts';
import type { Operation } from '../../../scripts/spec/scaffold/operation.ts';
import { testText } from '../../../scripts/spec/scaffold/operation-test.ts';

const plain: Operation = {
  id: 'getThing',
  route: 'GET /social/thing/detail',
  summary: 'One thing',
  path: [],
  query: [{ name: 'id', type: 'string', always: true }],
  exactlyOneOf: [],
  call: { id: '1' },
  items: undefined,
  body: false,
  status: 200,
  replies: false,
  answersJson: true,
  may501: true,
};

describe('the name of an operation', () => {
  test.each(['get-thing', 'get.thing', '1st', 'delete', 'default', 'await', 'eval'])(
    '%s is not a valid handler name',
    (id) => {
      expect(() => checkName(id, undefined)).toThrow(`operationId '${id}' names a handler and its file`);
    },
  );
  test('must not be the name of another file', () => {
    expect(() => checkName('page', 'export async function paged() {}')).toThrow(
      'server/operations/page.ts is something else already',
    );
    expect(() => checkName('paged', 'export async function paged() {}')).not.toThrow();
    expect(() => checkName('getThing', handlerText(plain))).not.toThrow();
  });
});

test('the handler names the parameters of the path', () => {
  const text = handlerText({ ...plain, path: [{ name: 'thing_id', type: 'number', always: true }], query: [] });
  expect(text).toContain("Handler<'getThing'> => async ({ path, query }) => …");
  expect(text).toContain('  // `path`, validated:\n  //   thing_id: number\n');
});

test('the comment has any summary as one sentence', () => {
  expect(handlerText({ ...plain, summary: ' One */ thing,\n  or two. ' })).toContain(
    '/** One *\\/ thing, or two. */\n',
  );
});

test('the test has any example as a literal', () => {
  const call = { text: `it's "so"\n\\ \u0007`, count: 3, on: true, none: null, list: [{ 'a-b': [] }], empty: {} };
  const [, literal] = /callOperation\(server, key, 'getThing', (.*)\);/.exec(testText({ ...plain, call }))!;
  expect(JSON.parse(JSON.stringify(new Function(`return ${literal};`)()))).toEqual(call);
});

test('an operation without a plain body has a handler that says how it replies, and a test of its status', () => {
  const operation = { ...plain, status: 204, replies: true, answersJson: false };
  expect(handlerText(operation)).toContain('// It returns a reply, such as { status: 204,');
  const text = testText(operation);
  expect(text).toContain('expect(response.status).toBe(204);');
  expect(text).not.toContain('exampleAnswer');
});
