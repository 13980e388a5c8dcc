// Tests server/storage/lowdb/durable-file.ts.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDocuments, type Documents } from '../../../server/storage/lowdb/documents.ts';

let directory: string;
let stores: Documents[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'));
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(): Promise<Documents> {
  const store = await openDocuments(directory);
  stores.push(store);
  return store;
}

const close = async (store: Documents): Promise<void> => {
  stores.splice(stores.indexOf(store), 1);
  await store.close();
};

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const script = fixture('open.ts');

describe('a data directory', () => {
  test('is locked for a second process, and free at once after a kill', async () => {
    const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(open()).rejects.toThrow(`data directory ${directory} is in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await open();
  });

  test('is locked for a second open in one process', async () => {
    await open();
    await expect(open()).rejects.toThrow(`in use by process ${process.pid}`);
  });

  test('is private to its user, with all its files', async () => {
    const made = join(directory, 'made', 'deep');
    const opened = await openDocuments(made);
    stores.push(opened);
    await (await opened.document('keys', {})).update(() => {});
    const paths = ['..', '', 'lock', 'keys.json'];
    const modes = await Promise.all(
      paths.map(async (path) => ((await stat(join(made, path))).mode & 0o777).toString(8)),
    );
    expect(modes).toEqual(['700', '700', '600', '600']);
  });

  test('that cannot be created is an error that names it', async () => {
    await writeFile(join(directory, 'file'), '');
    const under = join(directory, 'file', 'data');
    await expect(openDocuments(under)).rejects.toThrow(`data directory ${under} cannot be used`);
  });
});

describe('a document', () => {
  test('contains every change after update resolves, also in a burst', async () => {
    const document = await (await open()).document('n', { n: 0 });
    const versions = new Set<number>();
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        await document.update((data) => void (data.n += 1));
        const { n } = JSON.parse(await readFile(join(directory, 'n.json'), 'utf8')) as { n: number };
        expect(n).toBeGreaterThan(i);
        versions.add(n);
      }),
    );
    expect(versions.size).toBeLessThanOrEqual(2);
  });

  test('does not delay a first writer by later ones', async () => {
    const document = await (await open()).document('n', { n: 0 });
    const add = (): Promise<void> => document.update((data) => void (data.n += 1));
    let isDone = false;
    const first = add().then(() => (isDone = true));
    let later = 0;
    while (!isDone && later < 1_000_000) {
      later++;
      void add();
      await new Promise(setImmediate);
    }
    await first;
    expect(later).toBeLessThan(1_000_000);
  });

  test('stays unchanged on a full disk', async () => {
    const first = await open();
    await (await first.document('keys', { keys: ['a'] })).update(() => {});
    await close(first);
    const limited = `ulimit -f 16; exec "$0" "$@"`;
    const { stdout } = spawnSync('bash', ['-c', limited, process.execPath, fixture('full-disk.ts'), directory], {
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^StoreError: .*keys\.json cannot be written/);
    expect((await (await open()).document('keys', { keys: [] as string[] })).data).toEqual({ keys: ['a'] });
  });

  test('leaves no temporary files, also after a kill', async () => {
    await writeFile(join(directory, 'keys.json.123456'), '{"ke');
    await writeFile(join(directory, 'keys.json.bak'), 'the operator’s own');
    const document = await (await open()).document('keys', {});
    await document.update(() => {});
    expect((await readdir(directory)).sort()).toEqual(['keys.json', 'keys.json.bak', 'lock']);
  });

  test.each([
    ['empty', '', /keys\.json is empty/],
    ['half written', '{"keys":["a"', /keys\.json is not a whole JSON object/],
    ['foreign', '<html></html>', /keys\.json is not a whole JSON object/],
  ])('in an %s file is an error that names it', async (_name, content, message) => {
    const store = await open();
    await writeFile(join(directory, 'keys.json'), content);
    await expect(store.document('keys', {})).rejects.toThrow(message);
    expect(await readFile(join(directory, 'keys.json'), 'utf8')).toBe(content);
  });
});
