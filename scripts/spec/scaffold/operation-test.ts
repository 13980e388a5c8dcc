/** The skeleton of an operation's test: it fails until the handler is written. */
import { handlerFile } from './handler.ts';
import { quoted, type Operation } from './operation.ts';

/** Where the test of an operation stands. */
export const testFile = (id: string): string => `test/operations/${id}.test.ts`;

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).map(([name, inner]) => `${key(name)}: ${literal(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The text of the test's file. */
export const testText = ({
  id,
  call,
  status,
  answersJson,
}: Operation): string => `import { afterAll, beforeAll, expect, test } from '@jest/globals';
${answersJson ? "import { exampleAnswer, expectContract } from '../support/contract.ts';\n" : ''}import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { callOperation${answersJson ? ', like' : ''} } from '../support/operation.ts';

const key = 'a-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key });
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

test('${id} answers the sample archive in the form of its example', async () => {
  const response = await callOperation(server, key, '${id}', ${literal(call)});
  if (response.status === 501) throw new Error('write ${handlerFile(id)}, then say here what else it promises');
  expect(response.status).toBe(${status});${answersJson ? `\n  expect(await expectContract('${id}', response)).toEqual(like(exampleAnswer('${id}')));` : ''}
});
`;
