import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyProject, edit, save, startLoop, type Loop } from './copied-loop.ts';
import { compiledOf } from '../../support/copy.ts';
import { fastParent } from '../../support/folder.ts';
import { isWalkInTurn } from '../../support/rounds.ts';
import { run } from '../../support/server.ts';

const contract = 'spec/openapi.yaml';
const space = '/social/space/detail';
let place: Awaited<ReturnType<typeof copyProject>>;
let loop: Loop;
let url: string;
let key: string;
let edits = 0;

const read = (file: string): Promise<string> => readFile(join(place.path, file), 'utf8');
const write = (file: string, content: string | Buffer): Promise<void> => writeFile(join(place.path, file), content);
/** The generated files with their content. */
const generatedFiles = async (): Promise<[file: string, content: Buffer][]> =>
  Promise.all(
    (await readdir(join(place.path, 'generated'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }): Promise<[string, Buffer]> => [
        relative(place.path, join(parentPath, name)),
        await readFile(join(parentPath, name)),
      ]),
  );
const change = async (file: string, from: string, to: string): Promise<void> => {
  edits++;
  await edit(place.path, file, from, to);
};
/** The line of a file, counted from 1, in which a text stands first. */
const lineOf = async (file: string, text: string): Promise<number> =>
  (await read(file)).split('\n').findIndex((line) => line.includes(text)) + 1;
const ask = (query: string): Promise<Response> =>
  fetch(`${url}${space}?id=1vSampleSpace1${query}`, { headers: { 'x-api-key': key } });
const checked = /whole project checked \d+\.\d s/;
const ready = /server ready \d+\.\d s {2}(\S+)/;

/** Fills the archive with the space that the tests ask for: each start of the server reads it again, and the sample would take longer. */
async function importSpace(): Promise<void> {
  const file = join(place.path, 'space.jsonl');
  const space = {
    id: '1vSampleSpace1',
    title: 'Office hours',
    state: 'live',
    host_id: '1',
    created_at: '2026-02-01T10:00:00.000Z',
  };
  await writeFile(file, JSON.stringify({ kind: 'space', space }));
  const { code, stderr } = await run('scripts/cli/import.ts', [file], { DATA_DIR: join(place.path, 'data') });
  if (code !== 0) throw new Error(stderr);
}

(isWalkInTurn('npm run dev') ? describe : describe.skip)('in a copy of the project', () => {
  beforeAll(async () => {
    // One test is enough here, and these scripts are no part of the loop: they would only be checked again and again.
    place = await copyProject('test/text/nearest-name.test.ts', ['scripts/bench', 'scripts/cli'], fastParent);
    // The loop checks these files only: those in which the tests expect errors, and what they import. Each check of the rest takes seconds.
    const settings = await read('tsconfig.json');
    const imported = ['collections', 'contract', 'domain', 'onchain', 'operations', 'ports', 'search', 'text'];
    const checkedFiles = [...imported, 'assistant/*.ts'].map((name) => `server/${name}`);
    const include = `"include": ${JSON.stringify([...checkedFiles, 'client/src', 'test', 'generated/*.ts'])}`;
    await write(
      'tsconfig.json',
      settings.replace('"noEmit": true', '$&, "checkers": 1').replace(/"include": \[.*?\]/s, include),
    );
    await importSpace();
    loop = startLoop(place.path, [], { DEMO: '0', ...compiledOf(place.path) });
    const start = await loop.until(checked);
    url = ready.exec(start)![1]!;
    key = /^ {2}API key +(\S+)/m.exec(start)![1]!;
    expect(start).toContain('everything compiles');
  });
  afterAll(async () => {
    await loop?.end();
    await place?.remove();
  });

  describe('after a save of the spec', () => {
    test('reports a new parameter as safe and restarts the server at the same address with the same key', async () => {
      expect((await ask('&lang=en')).status).toBe(400);
      const original = await read(contract);
      const [head, tail] = original.split(`  ${space}:\n`) as [string, string];
      const withParameter = tail.replace(
        /parameters:\n/,
        () =>
          "parameters:\n        - { name: lang, in: query, description: A language., schema: { type: string, pattern: '^[a-z]{2}$' }, example: en }\n",
      );
      edits++;
      await save(place.path, contract, `${head}  ${space}:\n${withParameter}`);
      const report = await loop.until(checked);
      expect(report).toMatch(ready);
      expect(report).toMatch(/^contract +~ getSpace GET \/social\/space\/detail: \+ parameter lang \(safe\)$/m);
      expect(report).toMatch(/spec → types \d+\.\d s · types checked \d+\.\d s/);
      expect(report).toContain('everything compiles');
      expect(ready.exec(report)![1]).toBe(url);
      expect((await ask('&lang=en')).status).toBe(200);
      expect((await ask('&lang=english')).status).toBe(400);
    });

    test('reports a renamed field as breaking, lists the type errors, and keeps the previous server until a checkout of spec/ and generated/', async () => {
      const original = await read(contract);
      const generated = await generatedFiles();
      edits++;
      await save(
        place.path,
        contract,
        original.replaceAll('view_count', 'seen_count').replaceAll('conversation_id', 'talk_id'),
      );
      const report = await loop.until(checked);
      expect(report).toMatch(
        /~ Tweet in \d+ operations and \/ws: - field view_count \(breaking\), \+ required field seen_count \(needs care\)/,
      );
      const file = 'client/src/assistant.ts';
      expect(report).toMatch(
        new RegExp(
          `^(?:client)? +${file}:${await lineOf(file, 'next.conversation_id')}:\\d+ {2}Property 'conversation_id' does not exist`,
          'm',
        ),
      );
      expect(report).toMatch(
        /^ +server\/assistant\/assistant\.ts:\d+:\d+ {2}Object literal may only specify known properties, and 'conversation_id' does not exist/m,
      );
      // The first error names an operation and the field.
      const [first] = report.split('\n').filter((line) => /\.tsx?:\d+:\d+ {2}/.test(line));
      expect(first).toMatch(/^handlers +server\/operations\/\w+\.ts:\d+:\d+ {2}.*\b(?:view_count|conversation_id)\b/);
      expect(report).not.toMatch(/'(?:true|false)' is not assignable/);
      expect(report).toContain(`${url} still runs the previous code`);
      expect((await ask('')).status).toBe(200);
      expect(await read('generated/types.ts')).toContain('seen_count');

      // As `git checkout` does it: generated/ comes with the spec, so the loop has nothing to write.
      edits++;
      await mkdir(join(place.path, '.git'));
      await write('.git/index.lock', '');
      await Promise.all([...generated, [contract, original] as const].map(([file, text]) => write(file, text)));
      await rm(join(place.path, '.git'), { recursive: true });
      expect(await loop.until(checked)).toMatch(/server ready[^]*everything compiles/);
    });

    test('reports the missing handler of a new operation and the command that creates it', async () => {
      const [, block] = new RegExp(`\\n  ${space}:\\n([^]*?)\\n(?=  /|[a-z])`).exec(await read(contract))!;
      const added = block!.replace('operationId: getSpace', 'operationId: getSpaceListeners');
      await change(contract, `  ${space}:\n`, `  /social/space/listeners:\n${added}\n  ${space}:\n`);
      const report = await loop.until(checked);
      expect(report).toMatch(/^contract +\+ getSpaceListeners GET \/social\/space\/listeners \(safe\)$/m);
      expect(report).toMatch(
        /^handlers +server\/operations\/index\.ts:\d+:\d+ {2}Property 'getSpaceListeners' is missing/m,
      );
      expect(report).toMatch(/^next +npm run scaffold/m);
      await change(contract, `  /social/space/listeners:\n${added}\n`, '');
      const without = await loop.until(checked);
      expect(without).toMatch(/^contract +- getSpaceListeners GET \/social\/space\/listeners \(breaking\)$/m);
    });

    test('reports a fault of the spec with its position and correction, and keeps the generated files and the server', async () => {
      const before = await read('generated/openapi.json');
      await change(contract, '  title: Social Data\n', '  title: Social: Data\n');
      const report = await loop.until(/^next .*$/m);
      expect(report).toContain(`${contract}:${await lineOf(contract, 'Social: Data')}:10  yaml-syntax`);
      expect(report).toContain('Fix: put the text in quotes');
      expect(await read('generated/openapi.json')).toBe(before);
      expect((await ask('')).status).toBe(200);
      await change(contract, '  title: Social: Data\n', '  title: Social Data\n');
      expect(await loop.until(/^no relevant change$/m)).not.toContain('yaml-syntax');
    });

    test('reports a fault when a valid spec lacks an extension that the client needs', async () => {
      const [, block] = /operationId: getSpace\n( +x-repeat: \w+\n)/.exec(await read(contract))!;
      await change(contract, `operationId: getSpace\n${block}`, 'operationId: getSpace\n');
      expect(await loop.until(/^next .*$/m)).toContain('getSpace: x-repeat must be one of safe, refused');
      await change(contract, 'operationId: getSpace\n', `operationId: getSpace\n${block}`);
      await loop.until(/^no relevant change$/m);
    });
  });

  describe('after a save of the code', () => {
    test('reports type errors, keeps the previous server, and restarts it when the code compiles', async () => {
      const file = 'server/operations/getSpace.ts';
      const right = /^export const .*$/m.exec(await read(file))![0];
      await change(file, right, `const wrong: number = 'text';\n${right}`);
      const report = await loop.until(checked);
      expect(report).toMatch(
        new RegExp(`^handlers +${file}:${await lineOf(file, 'const wrong')}:7 .*\\(TS\\d+\\)$`, 'm'),
      );
      expect(report).toContain('still runs the previous code');
      await change(file, `const wrong: number = 'text';\n${right}`, `export const text = 'text';\n${right}`);
      expect(await loop.until(checked)).toMatch(/server ready[^]*everything compiles/);
    });

    test('a type error in a test neither prevents nor causes a restart of the server', async () => {
      await change('test/text/nearest-name.test.ts', 'import { ', "export const wrong: number = '';\nimport { ");
      const report = await loop.until(checked);
      expect(report).toMatch(/^tests +test\/text\/nearest-name\.test\.ts:1:14 /m);
      expect(report).not.toContain('still runs the previous code');
      await change('server/text/nearest-name.ts', '/**', '/** Names.\n *');
      expect(await loop.until(checked)).toMatch(/server ready[^]*test\/text\/nearest-name\.test\.ts:1:14/);
      await change('test/text/nearest-name.test.ts', "export const wrong: number = '';\n", '');
      expect(await loop.until(checked)).toContain('everything compiles');
    });

    test('a change of a generator regenerates the files with the new generator', async () => {
      await change('scripts/spec/contract-document.ts', 'Do not edit.', 'Never edit.');
      await loop.until(checked);
      expect(await read('generated/types.ts')).toContain('Never edit.');
    });
  });

  test('there is one round per save; Ctrl-C stops it and its server', async () => {
    await change('test/text/nearest-name.test.ts', 'import { ', "export const last = '';\nimport { ");
    await loop.until(checked);
    // The files of the checkout can come in several rounds.
    const rounds = loop.output().match(/^── \S+ .*$/gm) ?? [];
    expect(rounds.filter((title) => !/^── \S+ (generated\/[^ ,]+(, )?)+$/.test(title))).toHaveLength(edits);
    expect(await loop.end('SIGINT')).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

test.each([
  [['--help'], 0, 'Usage: npm run dev'],
  [['--prot', '1'], 2, "Unknown option '--prot'"],
  [['--port', 'http'], 2, '--port http: expected a number from 0 to 65535'],
])('%j exits with %d', async (parameters, status, message) => {
  const { code, stdout, stderr } = await run('scripts/spec/dev/main.ts', parameters, {});
  expect(`${stdout}${stderr}`).toContain(message);
  expect(stderr).not.toContain(' at ');
  expect(code).toBe(status);
});
