import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControl } from '../../server/admin/control-server.ts';
import { secretRoutes } from '../../server/admin/secret-commands.ts';
import { openSecrets } from '../../server/storage/document-secrets.ts';
import { DocumentKeys, createFirstKey, type KeyFile } from '../../server/keys/keys.ts';
import { keyCommands } from '../../server/keys/key-commands.ts';
import { scopes } from '../../generated/scopes.ts';
import { openDocuments } from '../../server/storage/lowdb/documents.ts';
import { run as runProgram } from '../support/server.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Runs `npm run keys -- …`. */
const run = (...args: string[]): ReturnType<typeof runProgram> =>
  runProgram('scripts/cli/keys.ts', args, { DATA_DIR: directory });
const madeBy = (stdout: string): { id: string; key: string } => {
  const { key, id } = /^(?<key>sd_(?<id>\w{8})_\w{32})\n/.exec(stdout)!.groups as { key: string; id: string };
  return { id, key };
};

test('a key created without a server is valid after the next start; a revoked one is not', async () => {
  const kept = madeBy((await run('create', '--name', 'kept')).stdout);
  const ended = madeBy((await run('create')).stdout);
  expect((await run('list')).stdout).toMatch(
    new RegExp(
      `^id +scopes +rate +created +expires +last used +name\n${kept.id} +all +usual +\\d{4}-\\S+ \\S+ +never +never +kept\n${ended.id} .* unnamed\n$`,
    ),
  );
  expect(await run('revoke', ended.id)).toMatchObject({ code: 0, stdout: `key ${ended.id} is revoked\n` });
  const store = await openDocuments(directory);
  const keys = new DocumentKeys(await store.document<KeyFile>('keys', { keys: [] }));
  const first = await createFirstKey(keys, []);
  expect([first, keys.verify(kept.key)?.id, keys.verify(ended.key)]).toEqual([undefined, kept.id, undefined]);
  await store.close();
});

test('a running server applies a new and a revoked key at once', async () => {
  const store = await openDocuments(directory);
  const keys = new DocumentKeys(await store.document<KeyFile>('keys', { keys: [] }));
  const control = await startControl(directory, keyCommands(keys));
  const { id, key } = madeBy((await run('create', '--name', 'live')).stdout);
  expect(keys.verify(key)?.id).toBe(id);
  expect((await run('list')).stdout).toContain(`${id}  `);
  expect((await run('revoke', id)).code).toBe(0);
  expect(keys.verify(key)).toBeUndefined();
  expect(await run('revoke', id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`there is no stored key ${id}`),
  });
  expect(await run('create', '--name', '')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('text of 1 to 100'),
  });
  await control.close();
  await store.close();
});

test.each([
  [[]],
  [['make']],
  [['revoke']],
  [['list', 'all']],
  [['create', '--colour', 'red']],
  [['list', '--name', 'x']],
  [['revoke', 'a', '--rate', '1/s']],
])('rejects keys %j with an instruction', async (args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/Usage: npm run keys|Unknown option '--colour'/);
});

test('creates a key with the given options, and shows them, also as JSON', async () => {
  const made = await run(
    'create',
    '--name',
    'mobile',
    '--scopes',
    'events,read',
    '--rate',
    '10/s',
    '--expires',
    '2999-01-31',
  );
  expect(made.stdout).toContain('(read, events; rate 10/s; until 2999-01-31T00:00:00.000Z)');
  const { id } = madeBy(made.stdout);
  expect((await run('list')).stdout).toMatch(
    new RegExp(`\n${id}  read,events  10/s  \\S+ \\S+  2999-01-31 00:00  never      mobile\n`),
  );
  const entry = {
    id,
    name: 'mobile',
    scopes: ['read', 'events'],
    rate: '10/s',
    expires_at: '2999-01-31T00:00:00.000Z',
  };
  expect(JSON.parse((await run('list', '--json')).stdout)).toEqual([{ ...entry, created_at: expect.any(String) }]);
  const other = JSON.parse((await run('create', '--name', 'other', '--json')).stdout) as { id: string; key: string };
  expect(other.key).toContain(other.id);
  expect(await run('create', '--scopes', 'reads')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: "unknown scope 'reads': did you mean 'read'?\n",
  });
});

test('rotate-secrets replaces the secrets, with or without a running server, and keeps the keys', async () => {
  const { id, key } = madeBy((await run('create', '--name', 'kept')).stdout);
  const open = async () => {
    const store = await openDocuments(directory);
    const secrets = await openSecrets(store);
    const values = await Promise.all(['cursor', 'conversation'].map((name) => secrets.secret(name)));
    return { store, secrets, values: values.map((value) => value.toString('hex')) };
  };
  const first = await open();
  const control = await startControl(directory, secretRoutes(first.secrets));
  expect(await run('rotate-secrets')).toMatchObject({ code: 0, stdout: expect.stringContaining('the next start') });
  await control.close();
  await first.store.close();
  const second = await open();
  await second.store.close();
  expect((await run('rotate-secrets')).code).toBe(0);
  const third = await open();
  expect(new Set([first, second, third].flatMap(({ values }) => values)).size).toBe(6);
  expect(new DocumentKeys(await third.store.document<KeyFile>('keys', { keys: [] })).verify(key)?.id).toBe(id);
  await third.store.close();
});

test('--help names every scope of the contract', async () => {
  const { stdout } = await run('--help');
  for (const scope of Object.keys(scopes)) expect(stdout).toMatch(new RegExp(`^ +${scope} +\\w`, 'm'));
});
