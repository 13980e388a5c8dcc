import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parseProtocol } from '../../../scripts/contract-tools/diff/document.ts';
import { compareProtocols } from '../../../scripts/contract-tools/diff/protocol.ts';
import { contract, verdicts, type Json } from './documents.ts';
import { protocol, protocolCases } from './protocol-cases.ts';

const compared = (before: Json, after: Json): string[] =>
  compareProtocols(parseProtocol('before', JSON.stringify(before)), parseProtocol('after', JSON.stringify(after))).map(
    ({ level, rule }) => `${level} ${rule}`,
  );

describe('classifies a change of the protocol by its consequence for clients', () => {
  test.each(protocolCases)('%s is %s', (rule, level, before, after) =>
    expect(compared(before, after)).toEqual([`${level} ${rule}`]),
  );
});

test('reports nothing for a new version, and nothing between equal protocols', async () => {
  expect(compared(protocol(), protocol({}, { info: { title: 'Events', version: '2.0.0' } }))).toEqual([]);
  const text = await readFile(new URL('../../../spec/asyncapi.yaml', import.meta.url), 'utf8');
  const own = parseProtocol('spec/asyncapi.yaml', text);
  expect(compareProtocols(own, own)).toEqual([]);
});

test('a finding names the place in the file of the protocol', async () => {
  const text = await readFile(new URL('../../../spec/asyncapi.yaml', import.meta.url), 'utf8');
  const changed = text.replace('message_bytes: { value: 65536', 'message_bytes: { value: 1024');
  const line = text.slice(0, text.indexOf('message_bytes: { value: 65536')).split('\n').length;
  expect(compareProtocols(parseProtocol('old', text), parseProtocol('new', changed))).toMatchObject([
    { rule: 'limit-lowered', bump: 'major', subject: 'message_bytes', after: { file: 'new', line, value: 1024 } },
  ]);
});

test('a document that is no AsyncAPI 3 is refused', () => {
  expect(() => parseProtocol('it', '{ "asyncapi": "2.6.0" }')).toThrow('it is no AsyncAPI 3 document');
});

describe('messages on /ws follow the promise of the protocol:', () => {
  const message = (type: string): Json => ({
    type: 'object',
    properties: { type: { const: type } },
    required: ['type'],
  });
  const union = (name: string, ...types: string[]): Json =>
    contract(
      {},
      {
        components: {
          schemas: {
            [name]: { oneOf: types.map((type) => ({ $ref: `#/components/schemas/${type}` })) },
            ...Object.fromEntries(types.map((type) => [type, message(type)])),
          },
        },
      },
    );
  const without = (found: string[]): string[] => found.filter((verdict) => !/component-(added|removed)$/.test(verdict));
  test.each([
    ['a new message of the server needs no major version', 'WsServerMessage', ['a'], ['a', 'b'], 'care message-added'],
    ['a new message of the client is compatible', 'WsClientMessage', ['a'], ['a', 'b'], 'safe message-added'],
    [
      'a message of the server that is gone is breaking',
      'WsServerMessage',
      ['a', 'b'],
      ['a'],
      'breaking message-removed',
    ],
    [
      'a message of the client that is gone is breaking',
      'WsClientMessage',
      ['a', 'b'],
      ['a'],
      'breaking message-removed',
    ],
  ])('%s', (_name, name, before, after, expected) =>
    expect(without(verdicts(union(name, ...before), union(name, ...after)))).toEqual([expected]),
  );
});
