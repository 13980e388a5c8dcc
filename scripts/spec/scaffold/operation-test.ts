/** The skeleton of an operation's test: it fails until the handler is written. */
import { fileContent } from '../../contract-tools/example-call.ts';
import { handlerFile, handlerName } from './handler.ts';
import { quoted, type Operation } from './operation.ts';

/** Where the test of an operation stands. */
export const testFile = (id: string): string => `test/operations/${handlerName(id)}.test.ts`;

/** A name as a member of an object. `__proto__` as a member would set the prototype. */
const key = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
/** A value as a literal of TypeScript; a file has some content. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof File)
    return `new File([${quoted(fileContent)}], ${quoted(value.name)}, { type: ${quoted(value.type)} })`;
  if (value instanceof Blob) return `new Blob([${quoted(fileContent)}])`;
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
  hasExample,
  may501,
}: Operation): string => `import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ${hasExample ? 'exampleAnswer, ' : ''}expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { callOperation${hasExample ? ', like' : ''} } from '../support/operation.ts';

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

test('${id} answers ${hasExample ? 'the sample archive in the form of its example' : `with ${status}`}', async () => {
  const response = await callOperation(server, key, ${quoted(id)}, ${literal(call)});
  // The answer of a handler that is not written yet.
  if (response.status === ${may501 ? 501 : 500}) throw new Error('write ${handlerFile(id)}, then say here what else it promises');
  expect(${status === '2XX' ? 'response.ok).toBe(true' : `response.status).toBe(${status}`});
  ${hasExample ? `expect(await expectContract(${quoted(id)}, response)).toEqual(like(exampleAnswer(${quoted(id)})))` : `await expectContract(${quoted(id)}, response)`};
});
`;
