/** The fingerprint of the code that builds the tables. */
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { codeFingerprint, tableFolders } from '../../../server/platforms/archive/code-fingerprint.ts';
import { temporaryFolder } from '../../support/folder.ts';

const modulePath = 'server/platforms/archive/code-fingerprint.ts';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  const write = async (path: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'export {};\n');
  };
  for (const name of tableFolders) await write(join(folder.path, 'server', name, 'a.ts'));
  await cp(modulePath, join(folder.path, modulePath));
  await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
});
afterEach(() => folder.dispose());

/** Runs a module in a new process, with `fingerprint` and `change`, which writes a file of the program. Returns what it prints. */
async function run(steps: string): Promise<unknown> {
  const path = (file: string): string => JSON.stringify(join(folder.path, file));
  const code = `
    import { writeFileSync } from 'node:fs';
    import { codeFingerprint as fingerprint } from ${path(modulePath)};
    const change = (text) => writeFileSync(${path('server/search/a.ts')}, text);
    console.log(JSON.stringify(await (async () => { ${steps} })() ?? null));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  return JSON.parse(stdout);
}

test('is the same in each process, and another one for other code', async () => {
  const first = await run('return fingerprint();');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(await run('return fingerprint();')).toBe(first);
  await writeFile(join(folder.path, 'server/search/b.ts'), '');
  expect(await run('return fingerprint();')).not.toBe(first);
  expect(await codeFingerprint()).toMatch(/^[0-9a-f]{32}$/);
});

test('is that of the code that runs: a process whose code has changed on the disk since its start has none', async () => {
  expect(await run("change('1'); return fingerprint();")).toBeNull();
  expect(await run("const first = await fingerprint(); change('2'); return first === await fingerprint();")).toBe(true);
});

test('depends on the folders', async () => {
  expect(await run("return await fingerprint() === await fingerprint(['search']);")).toBe(false);
  expect(await run("return fingerprint(['nothing']);")).toBeNull();
});
