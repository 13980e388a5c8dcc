import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientSurface, methodName } from '../../scripts/spec/generate-client.ts';
import { root, runIn, runTool } from '../support/packed.ts';
import { temporaryFolder } from '../support/folder.ts';

describe('when the spec changes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let findings: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const at = (path: string): string => join(folder.path, path);
    for (const part of [
      'scripts',
      'server',
      'spec',
      'pages',
      'client/src',
      'client/tsconfig.json',
      'tsconfig.json',
      'package.json',
    ])
      await cp(join(root, part), at(part), { recursive: true });
    await mkdir(at('generated'));
    await symlink(join(root, 'node_modules'), at('node_modules'));
    const spec = await readFile(at('spec/openapi.yaml'), 'utf8');
    const [, followings] = /(  \/social\/user\/followings:\n[^]*?\n)(?=  \/)/.exec(spec)!;
    const followers = followings!
      .replace('/followings:', '/followers:')
      .replace('getUserFollowings', 'getUserFollowers')
      .replace('Accounts a user follows', 'Accounts that follow a user');
    const changed = spec
      // A new operation, a parameter with another name, a status that there was not.
      .replace(followings!, followings! + followers)
      .replace(/(\n    space_id:\n      name: )id\n/, '$1space_id\n')
      .replace(
        "        '409': { $ref: '#/components/responses/ConversationExpired' }\n",
        (line) => `${line}${line.replace('409', '410')}`,
      );
    await writeFile(at('spec/openapi.yaml'), changed);
    await runIn(folder.path, process.execPath, ['scripts/spec/generate.ts']);
    await writeFile(
      at('client/src/app.ts'),
      `import { createClient } from './index.ts';
const client = createClient({ baseUrl: '' });
export const fresh = client.user.followers({ username: 'mira_codes' }, { limit: 10 });
export const stale = client.space.detail({ id: '1vSampleSpace1' });
`,
    );
    findings = await runTool(folder.path, 'typescript-native/bin/tsc', '-p', 'client').then(
      () => '',
      (error: Error) => error.message,
    );
  }, 120_000);
  afterAll(() => folder?.dispose());

  test('the client has the new operation, documented, by `npm run generate` alone', async () => {
    expect(await readFile(join(folder.path, 'generated/client.ts'), 'utf8')).toMatch(
      /Accounts that follow a user: `GET \/social\/user\/followers`\.[^]*?\n    followers: Of\['getUserFollowers'\];/,
    );
    expect(findings).not.toContain('app.ts(3');
  });
  test('an app and the table of errors do not compile until they are adapted', () => {
    expect(findings).toContain(
      "app.ts(4,44): error TS2353: Object literal may only specify known properties, and 'id' does not exist",
    );
    expect(findings).toMatch(/error-of\.ts\(\d+,\d+\): error TS2741: Property '410' is missing/);
    expect(findings.match(/: error TS/g)).toHaveLength(2);
  });
});

describe('the generator', () => {
  const operation = { operationId: 'getThing', summary: 'A thing', description: 'It.', 'x-repeat': 'safe' };
  const surroundings = { document: {}, channels: {} };
  const placed = { method: 'get', path: '/social/thing/some_detail', operation, parameters: [], body: undefined };

  test('derives the method name from the path, and rejects a path without a valid name', () => {
    expect(methodName('/social/thing/some_detail')).toEqual({ group: 'thing', name: 'someDetail' });
    expect(() => methodName('/social/thing/{id}')).toThrow(
      '/social/thing/{id}: the generated client does not support parameters in the path',
    );
    expect(() => methodName('/thing')).toThrow(
      '/thing: the client names its methods by paths of the form /social/GROUP/NAME',
    );
  });
  test('requires x-repeat for every operation', () => {
    const { 'x-repeat': _, ...silent } = operation;
    expect(() => clientSurface('', [{ ...placed, operation: silent }], surroundings)).toThrow(
      'getThing: x-repeat must be one of safe, refused',
    );
    expect(() =>
      clientSurface('', [{ ...placed, operation: { ...operation, 'x-repeat': 'always' } }], surroundings),
    ).toThrow('x-repeat');
  });
  test('rejects two operations with the same name', () => {
    expect(() => clientSurface('', [placed, { ...placed, method: 'post' }], surroundings)).toThrow(
      'the client has a method thing.someDetail already',
    );
  });
});
