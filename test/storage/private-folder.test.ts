import { chmod, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keepPrivate } from '../../server/storage/private-folder.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.dispose());

const modeOf = async (...names: string[]): Promise<string> =>
  ((await lstat(join(dataDir, ...names))).mode & 0o777).toString(8);

test('a start takes the permissions of others from a data directory and its files', async () => {
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  const first = await startLocalServer(dataDir, { DEMO: '0' });
  await first.end();
  expect(await modeOf()).toBe('700');
  await chmod(dataDir, 0o777);
  await chmod(join(dataDir, 'keys.json'), 0o644);
  await chmod(join(dataDir, 'events'), 0o775);
  const second = await startLocalServer(dataDir, { DEMO: '0' });
  await second.end();
  expect([await modeOf(), await modeOf('keys.json'), await modeOf('events')]).toEqual(['700', '600', '700']);
  expect(second.errors()).not.toContain('chmod');
});

test('a folder with foreign files is left as it is, with a warning', async () => {
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  await writeFile(join(dataDir, 'holiday.jpg'), '', { mode: 0o644 });
  expect(await keepPrivate(dataDir)).toContain('chmod 700');
  expect([await modeOf(), await modeOf('holiday.jpg')]).toEqual(['755', '644']);
});

test('what a link in the data directory leads to is left as it is', async () => {
  await mkdir(dataDir);
  await chmod(dataDir, 0o750);
  await writeFile(join(dataDir, 'keys.json'), '{}', { mode: 0o600 });
  const outside = join(folder.path, 'outside');
  await writeFile(outside, '');
  await chmod(outside, 0o644);
  await symlink(outside, join(dataDir, 'link'));
  expect(await keepPrivate(dataDir)).toBeUndefined();
  expect(await modeOf()).toBe('700');
  expect(((await lstat(outside)).mode & 0o777).toString(8)).toBe('644');
});

test('a folder that does not exist needs nothing', async () => {
  expect(await keepPrivate(dataDir)).toBeUndefined();
});
