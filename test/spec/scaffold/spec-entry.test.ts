// Not in `npm run test:fast`: it lints the whole spec.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Document } from '../../../scripts/spec/contract-document.ts';
import { deriveFrom } from '../../../scripts/spec/generate.ts';
import { lintSpec } from '../../../scripts/spec/lint/lint.ts';
import { operationsOf } from '../../../scripts/spec/scaffold/operation.ts';
import { withOperation } from '../../../scripts/spec/scaffold/spec-entry.ts';
import { yamlValue } from '../../../scripts/contract-tools/files/yaml.ts';
import { operationTable } from '../../../server/contract/operation-table.ts';

const spec = new URL('../../../spec/', import.meta.url).pathname;
let folder: string;
let contract: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spec-entry-'));
  await cp(spec, join(folder, 'spec'), { recursive: true });
  contract = await readFile(join(spec, 'openapi.yaml'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true }));

test('the first entries of operations pass the lint and the generator', async () => {
  const routes = [
    'GET /social/user/blocks',
    'post /social/users/{username}/mutes/{mute-id}',
    'DELETE /social/users/{username}/mutes/{mute-id}',
  ];
  const text = routes.reduce((before, route) => withOperation(before, route).text, contract);
  await writeFile(join(folder, 'spec/openapi.yaml'), text);
  expect(await lintSpec(folder)).toMatchObject({ faults: [], warnings: [] });
  const document = yamlValue(text) as Document;
  const [blocks, mute, unmute] = operationsOf(document).slice(-3);
  expect([blocks?.id, mute?.id, unmute?.id]).toEqual(['getUserBlocks', 'createUsersMutes', 'deleteUsersMutes']);
  expect(mute).toMatchObject({
    parameters: { path: [{ name: 'username' }, { name: 'mute-id' }] },
    body: new Map(),
    may501: true,
  });
  expect(operationTable(document)).toMatchObject({
    getUserBlocks: { scope: 'read' },
    createUsersMutes: { scope: 'write' },
  });
  // The errors of the operation that is most like it, by one line.
  const { getUserMentions, getUserBlocks } = Object.fromEntries(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId, responses }) => [operationId, Object.keys(responses ?? {})]),
    ),
  );
  expect(getUserBlocks?.toSorted()).toEqual(getUserMentions?.toSorted());
  expect(text.match(/^ +<<: \*/gm)).toHaveLength(3);
  const sources = {
    asyncapi: await readFile(join(spec, 'asyncapi.yaml'), 'utf8'),
    archive: await readFile(join(spec, 'archive.yaml'), 'utf8'),
  };
  const derived = await deriveFrom({ openapi: text, ...sources });
  expect(derived['generated/client.ts']).toContain("blocks: Of['getUserBlocks'];");
  expect(derived['generated/client.ts']).toContain(
    "'post /social/users/{username}/mutes/{mute-id}': { name: 'tweets.createUsersMutes', repeat: 'refused', body: true, ignoresCursor: true }",
  );
});

test('everything else in the spec stays byte for byte', () => {
  const { text } = withOperation(contract, 'GET /social/user/blocks');
  const added = /  \/social\/user\/blocks:\n[^]*?\n(?=[a-z])/.exec(text)?.[0] ?? '';
  expect(text.replace(added, '').replace(/ &responses-of-\w+/, '')).toBe(contract);
});

test.each([
  ['GET', "'GET' is no method and path"],
  ['FETCH /a', "'FETCH /a' is no method and path"],
  ['GET /social/space/detail', 'the spec has GET /social/space/detail already'],
])('%s is refused: %s', (route, message) => expect(() => withOperation(contract, route)).toThrow(message));
