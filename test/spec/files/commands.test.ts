// Not in `npm run test:fast`: it lints the whole spec.
/** Each command works with a spec in several files, and names the file of each finding. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runDiff } from '../../../scripts/spec/diff/main.ts';
import { lintSpec } from '../../../scripts/spec/lint/lint.ts';
import { withOperation } from '../../../scripts/spec/scaffold/spec-entry.ts';
import { loadSpec } from '../../../scripts/contract-tools/files/load.ts';
import { filesOf } from '../../../scripts/contract-tools/files/spec-files.ts';
import type { Document } from '../../../scripts/spec/contract-document.ts';
import { sourceDocument } from '../../../scripts/spec/release/released.ts';
import { yamlValue } from '../../../scripts/contract-tools/files/yaml.ts';
import { readSpec, SpecFault } from '../../../scripts/testing/mock/spec.ts';
import { gitEnvironment, hasGit } from '../../support/released-copy.ts';
import { split } from '../../contract-tools/files/split.ts';
import { nightlyTest } from '../../support/nightly.ts';

const spec = new URL('../../../spec/', import.meta.url).pathname;
const contract = 'spec/openapi.yaml';
let folder: string;
let whole: string;
const write = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
};
const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
/** Runs `use` while a file has another text. */
async function having<T>(file: string, from: string, to: string, use: () => Promise<T>): Promise<T> {
  const text = await read(file);
  expect(text).toContain(from);
  await write(
    file,
    text.replace(from, () => to),
  );
  return use().finally(() => write(file, text));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  await cp(spec, join(folder, 'spec'), { recursive: true });
  whole = await read(contract);
  await write('whole.yaml', whole);
  for (const [file, text] of split(yamlValue(whole))) await write(file, text);
});
afterAll(() => rm(folder, { recursive: true }));

test('the lint has the same findings, and names the files', async () => {
  expect(await lintSpec(folder)).toMatchObject({ faults: [], warnings: [] });
  const file = 'spec/paths/social/tweet/unlike.yaml';
  const { faults } = await having(file, 'x-repeat: refused', 'x-repeat: never', () => lintSpec(folder));
  expect(faults).toMatchObject([{ file, rule: 'operation-repeat' }]);
});

nightlyTest('the lint names the file of broken YAML, and of a reference to a file that is not there', async () => {
  const file = 'spec/paths/social/tweet/unlike.yaml';
  const broken = await having(file, 'post:', 'post: [', () => lintSpec(folder));
  expect(broken.faults).toMatchObject([{ file, rule: 'yaml-syntax' }]);
  const lost = await having(file, 'openapi.yaml#', 'openapy.yaml#', () => lintSpec(folder));
  expect(lost.faults).toMatchObject([
    { file, rule: 'no-unresolved-refs', message: 'There is no file spec/openapy.yaml.' },
  ]);
});

nightlyTest('the gate compares one file with many, and names the files', async () => {
  const { out } = await runDiff(['--format', 'json', 'whole.yaml', contract], folder);
  expect(JSON.parse(out)).toMatchObject({ findings: [] });
  const file = 'spec/parameters.yaml';
  const changed = await having(file, 'maximum: 100', 'maximum: 50', () => runDiff(['whole.yaml', contract], folder));
  expect(changed.code).toBe(1);
  expect(changed.out).toMatch(/spec\/parameters\.yaml:\d+:\d+/);
  const lost = await having(contract, 'paths/social/tweet/unlike', 'paths/social/tweet/like', () =>
    runDiff(['whole.yaml', contract], folder),
  );
  expect(lost).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^spec:diff: spec\/openapi\.yaml:\d+:\d+: There is no file/),
  });
});

(hasGit ? nightlyTest : test.skip)('the gate reads all files of a commit', async () => {
  const git = (...parameters: string[]): number | null =>
    spawnSync('git', parameters, { cwd: folder, env: gitEnvironment }).status;
  expect([git('init', '-q'), git('add', 'spec'), git('commit', '-qm', 'split')]).toEqual([0, 0, 0]);
  const file = 'spec/parameters.yaml';
  const { code, out } = await having(file, 'maximum: 100', 'maximum: 50', () => runDiff(['HEAD'], folder));
  expect(code).toBe(1);
  expect(out).toMatch(/HEAD:spec\/parameters\.yaml:\d+:\d+/);
});

nightlyTest('a release stores one document', async () => {
  expect(await sourceDocument(filesOf(folder), contract)).toEqual(yamlValue(whole));
});

test('the mock reads all files, and serves one document', async () => {
  const { document, text, files } = await readSpec(join(folder, contract));
  expect(files.texts.size).toBeGreaterThan(20);
  expect(yamlValue(text)).toEqual(yamlValue(whole));
  expect(Object.keys(document.paths)).toEqual(Object.keys((yamlValue(whole) as Document).paths));
  const lost = having('spec/responses.yaml', 'schemas/Error', 'schemas/Errors', () => readSpec(join(folder, contract)));
  await expect(lost).rejects.toThrow(SpecFault);
  await expect(lost).rejects.toThrow(/spec\/responses\.yaml:\d+:\d+ {2}no-unresolved-refs/);
});

nightlyTest('a new operation gets the errors of an operation in another file', async () => {
  const { value } = await loadSpec(contract, filesOf(folder));
  const { text } = withOperation(await read(contract), 'GET /social/user/blocks', value as Document);
  await having(contract, await read(contract), text, async () => {
    expect(await lintSpec(folder)).toMatchObject({ faults: [] });
    expect(text).toContain('$ref: "#/components/responses/BadRequest"');
  });
  expect(() => withOperation(text, 'PUT /social/tweet/unlike', value as Document)).toThrow(
    '/social/tweet/unlike stands in another file: add the operation there',
  );
});
