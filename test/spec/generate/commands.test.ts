import { expect, test } from '@jest/globals';
import { callShape } from '../../../scripts/spec/client-call.ts';
import { commandTable } from '../../../scripts/spec/client-commands.ts';
import { mockAnswers } from '../../../scripts/spec/generate-mocks.ts';
import { placed, type Document } from '../../../scripts/spec/contract-document.ts';

test('the command line has the values of an enumeration as texts, whatever they are', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: [{ name: 'kind', in: 'query', schema: { enum: [1, 'a', true, null] } }],
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
    components: {},
  } as unknown as Document;
  const text = commandTable('', placed(document), document, undefined);
  const [, table = ''] = /commands: readonly Command\[\] = ([^]*);\n$/.exec(text) ?? [];
  expect(JSON.parse(table)).toMatchObject([{ options: [{ name: 'kind', values: ['1', 'a', 'true', 'null'] }] }]);
});

test('a call needs the required members of all parts of a body, and none that only responses have', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    paths: {
      '/things': {
        post: {
          operationId: 'addThing',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
    components: {
      schemas: {
        Thing: { required: ['id', 'name', 'level'], allOf: [{ $ref: '#/components/schemas/Base' }] },
        Base: {
          type: 'object',
          required: ['made'],
          properties: {
            id: { $ref: '#/components/schemas/Id' },
            made: { type: 'string', readOnly: true },
            name: { type: 'string' },
            level: { type: 'string' },
            note: { type: 'string' },
          },
        },
        Id: { type: 'string', readOnly: true },
      },
    },
  } as unknown as Document;
  const [operation] = placed(document);
  const { body } = callShape(document, operation!);
  expect([...(body?.members ?? [])]).toEqual(['name', 'level', 'note']);
  expect([...(body?.needed ?? [])]).toEqual(['name', 'level']);
  expect(mockAnswers('', [operation!], document, undefined)).toMatch(/"required":\["name","level"\]/);
  const text = commandTable('', [operation!], document, undefined);
  const [, table = ''] = /commands: readonly Command\[\] = ([^]*);\n$/.exec(text) ?? [];
  const [{ options }] = JSON.parse(table) as [{ options: { name: string; required: boolean }[] }];
  expect(options.map(({ name, required }) => [name, required])).toEqual([
    ['name', true],
    ['level', true],
    ['note', false],
  ]);
});
