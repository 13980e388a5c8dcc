import { expect, test } from '@jest/globals';
import { commandTable } from '../../../scripts/spec/client-commands.ts';
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
