import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTurn } from '../support/rounds.ts';
import { run, startServer, temporaryFolder } from '../support/server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let segment: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await (await startServer(folder.path)).end();
  const [name] = (await readdir(join(folder.path, 'archive'))).filter((file) => file.endsWith('.jsonl'));
  segment = join(folder.path, 'archive', name!);
});
afterAll(() => folder.dispose());

/** Damages a file, tries to start, and puts the file back. */
async function startWith(
  file: string,
  damage: () => Promise<void>,
): Promise<{ code: number | null; stderr: string; kept: boolean }> {
  const whole = await readFile(file);
  await damage();
  const damaged = await stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
  const { code, stderr } = await run('server/main.ts', [], { DATA_DIR: folder.path, PORT: '0' });
  const after = await stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
  await writeFile(file, whole);
  return { code, stderr, kept: after === damaged };
}

const damages: readonly (readonly [string, () => string, () => Promise<void>, RegExp])[] = [
  [
    'a shortened journal',
    () => segment,
    () => truncate(segment, 1000),
    /truncated or not the expected file, with 1000 bytes/,
  ],
  [
    'a journal of something else',
    () => segment,
    async () => writeFile(segment, 'x\n'.repeat(2_000_000)),
    /damaged at line 1/,
  ],
  ['a missing journal', () => segment, () => rm(segment), /missing/],
  [
    'an empty catalogue',
    () => join(folder.path, 'archive/catalogue.json'),
    () => writeFile(join(folder.path, 'archive/catalogue.json'), ''),
    /is empty/,
  ],
  [
    'half a file of keys',
    () => join(folder.path, 'keys.json'),
    () => truncate(join(folder.path, 'keys.json'), 20),
    /not a whole JSON object/,
  ],
];
// In `npm test` two of them, others each day: the tests of the journal and of documents have all.
test.each(inTurn(damages, 1))(
  '%s stops the start with one line that names the file, and stays unchanged',
  async (_what, file, damage, said) => {
    const { code, stderr, kept } = await startWith(file(), damage);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(said);
    expect(stderr).toContain(file());
    expect(kept).toBe(true);
  },
);

test('removes and logs an incomplete write of a crash, and starts', async () => {
  await appendFile(segment, '0badc0de {"kind":"li');
  const server = await startServer(folder.path);
  expect(server.errors()).toContain('removed an incomplete write at the end');
  expect(await server.end()).toBe(0);
});
