/** A contract without an event stream, an archive, scopes of its own, and schemas. */
import { expect, test } from '@jest/globals';
import { deriveFromFiles } from '../../../scripts/spec/generate.ts';

const operation = (scope: string): string => `
      x-repeat: safe
      security: [{ account: [${scope}] }]
      responses: { '200': { description: it, content: { text/plain: { schema: { type: string } } } } }`;
const contract = `openapi: 3.1.0
info: { title: Alone, version: 1.0.0 }
paths:
  /one:
    get:${operation('read')}
  /two:
    get:${operation('count')}
components:
  securitySchemes:
    account:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: 'https://a.test', scopes: { read: Read all, write: Write all } } }
`;

test('gives what it needs, and its scopes are those of the security schemes and operations', async () => {
  const derived = await deriveFromFiles(async (path) => (path === 'spec/openapi.yaml' ? contract : undefined));
  expect(Object.keys(derived).filter((name) => /messages|asyncapi|archive|records/.test(name))).toEqual([]);
  const scopes = derived['generated/scopes.ts']!;
  expect(JSON.parse(/scopes = (\{[^]*?\}) as const/.exec(scopes)![1]!)).toEqual({
    read: 'Read all',
    count: 'count',
    write: 'Write all',
  });
  expect(scopes).not.toContain('stream');
  expect(derived['generated/client.ts']).not.toContain('Schemas');
});
