import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyRepository } from '../../support/copy.ts';
import { runTool } from '../../support/packed.ts';
import { isWalkInTurn } from '../../support/rounds.ts';
import { runScript } from '../../support/scripts.ts';
import { run } from '../../support/server.ts';

// Each run lints the spec.

const command = 'scripts/spec/scaffold/main.ts';
let copy: Awaited<ReturnType<typeof copyRepository>>;
let spec: string;
const read = (file: string): Promise<string> => readFile(join(copy.path, file), 'utf8');
const write = (file: string, text: string): Promise<void> => writeFile(join(copy.path, file), text);
const scaffold = (...parameters: string[]): ReturnType<typeof runScript> =>
  runScript(copy.path, command, ...parameters);

/** The spec with an operation like another one. */
function like(text: string, path: string, ...changes: (readonly [from: string, to: string])[]): string {
  const block = new RegExp(`  ${path}:\\n[^]*?\\n(?=(?:  /|components:))`).exec(text)![0];
  let added = block;
  for (const [from, to] of changes) added = added.replace(from, () => to);
  return text.replace(block, () => block + added);
}
const without = (text: string, path: string): string =>
  text.replace(new RegExp(`  ${path}:\\n[^]*?\\n(?=(?:  /|components:))`), '');

test('without a change, reports that there is nothing to do', async () => {
  expect(await run(command, ['--check'], {})).toMatchObject({
    code: 0,
    stdout: 'generated/ is up to date\n\nEvery operation has its handler, and every handler its operation.\n',
  });
});

(isWalkInTurn('npm run scaffold') ? describe : describe.skip)('in a copy with new operations and a removed one', () => {
  beforeAll(async () => {
    copy = await copyRepository(['operations', 'support', 'e2e/server.test.ts']);
    spec = await read('spec/openapi.yaml');
  });
  afterAll(() => copy?.dispose());

  const added = ['getUserFans', 'getSpaceHost', 'favourTweet'];
  let table: string;
  let output: string;
  beforeAll(async () => {
    table = await read('server/operations/index.ts');
    let changed = like(
      spec,
      '/social/user/followings',
      ['/followings:', '/fans:'],
      ['getUserFollowings', 'getUserFans'],
      ['summary: Accounts a user follows', "summary: 'Who admires */ a user''s posts'"],
    );
    changed = like(
      changed,
      '/social/space/detail',
      ['/detail:', '/host:'],
      ['getSpace', 'getSpaceHost'],
      ["        '501': { $ref: '#/components/responses/NotImplemented' }\n", ''],
    );
    changed = like(changed, '/social/tweet/unlike', ['/unlike:', '/favour:'], ['unlikeTweet', 'favourTweet']);
    await write('spec/openapi.yaml', without(changed, '/social/community/media'));
  });

  test('--dry-run and --check list them and write nothing', async () => {
    const [dry, check] = [await scaffold('--dry-run'), await scaffold('--check')];
    expect(dry.code).toBe(0);
    expect(dry.out).toMatch(/^stale: generated\/openapi\.json, .*; npm run generate\n/);
    for (const id of added) {
      expect(dry.out).toMatch(
        new RegExp(`^new {2}${id} {2}.*\\n {2}to write .*\\n {2}to write .*\\n(?:.*note .*\\n)?.*to name `, 'm'),
      );
      await expect(read(`server/operations/${id}.ts`)).rejects.toThrow('ENOENT');
      await expect(read(`test/operations/${id}.test.ts`)).rejects.toThrow('ENOENT');
    }
    expect(dry.out).not.toContain('wrote');
    expect({ ...check, code: 0 }).toEqual(dry);
    expect(check.code).toBe(1);
    expect(await read('server/operations/index.ts')).toBe(table);
    expect(await read('generated/operations.ts')).not.toContain('getUserFans');
  });

  test('creates a handler that compiles, a test, and the table entry of each new one', async () => {
    const { code, out, err } = await scaffold();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    output = out;
    expect(out).toContain('wrote generated/openapi.json, ');
    for (const id of added)
      expect(out.replace(/\n +note .*/, '')).toMatch(
        new RegExp(
          `^new {2}${id} .*\\n +wrote +test/operations/${id}\\.test\\.ts .*\\n +wrote +server/operations/${id}\\.ts .*\\n` +
            ' +named +it in server/operations/index\\.ts$',
          'm',
        ),
      );
    expect(out.match(/the contract gives it no 501/g)).toHaveLength(1);
    expect(out).toContain('README.md lists the operations');

    const list = await read('server/operations/getUserFans.ts');
    expect(list).toContain("/** Who admires *\\/ a user's posts. */\nexport const getUserFans =\n");
    expect(list).toContain("await paged<Item>(cursors, 'getUserFans', query, () => {");
    expect(list).toMatch(
      /of username and user_id exactly one:\n.*username\?: UsernameOrHandle\n.*user_id\?: Id\n.*cursor\?: string\n.*limit: number\n/,
    );
    expect(await read('test/operations/favourTweet.test.ts')).toContain(
      "callOperation(server, key, 'favourTweet', { body: { tweet_id: '1890000000000000001' } })",
    );
    const written = added.flatMap((id) => [`server/operations/${id}.ts`, `test/operations/${id}.test.ts`]);
    await runTool(copy.path, 'oxfmt/bin/oxfmt', '--check', ...written);
    // Of all that the removal left behind, nothing but that fails: what was written compiles.
    await write(
      'checked.json',
      JSON.stringify({ extends: './tsconfig.json', include: ['server', 'test/operations', 'generated/*.ts'] }),
    );
    const findings = await runTool(
      copy.path,
      'typescript-native/bin/tsc',
      '--checkers',
      '1',
      '-p',
      'checked.json',
    ).catch((error: Error) => error.message);
    const faulty = new Set(Array.from(findings.matchAll(/^(\S+)\(\d+,\d+\): error/gm), ([, file]) => file!));
    expect([...faulty].filter((file) => added.some((id) => file.includes(id)))).toEqual([]);
    expect(findings.match(/operations\/index\.ts\(.*/g)).toEqual([
      expect.stringContaining("'getCommunityMedia' does not exist"),
    ]);
  });

  test('lists the files and lines of the removed one, and deletes nothing', async () => {
    const out = output;
    expect(out).toMatch(/^gone {2}getCommunityMedia$/m);
    expect(out).toMatch(/^ +delete +server\/operations\/getCommunityMedia\.ts$/m);
    const index = (await read('server/operations/index.ts')).split('\n');
    const lines = Array.from(
      out.matchAll(/^ +delete +server\/operations\/index\.ts:(\d+) {2}(.*)$/gm),
      ([, line, text]) => [Number(line), text],
    );
    expect(lines.map(([, text]) => text)).toEqual([
      "import { getCommunityMedia } from './getCommunityMedia.ts';",
      'getCommunityMedia: getCommunityMedia(parts),',
    ]);
    for (const [line, text] of lines) expect(index[Number(line) - 1]!.trim()).toBe(text);
    const unused = /nothing else calls Platform\.communityMedia\n((?: +server\/.*\n)+)/.exec(out)?.[1] ?? '';
    expect(Array.from(unused.matchAll(/^ +(\S+):\d+ /gm), ([, file]) => file).toSorted()).toEqual([
      'server/archive/sql-platform.ts',
      'server/ports/platform.ts',
    ]);
    expect(out).toMatch(/names it test\/e2e\/server\.test\.ts:\d+ /);
    expect(await read('server/operations/getCommunityMedia.ts')).toContain('Handler<');
  });

  test('never overwrites existing files, and completes a partial state', async () => {
    await write('server/operations/getUserFans.ts', `${await read('server/operations/getUserFans.ts')}// mine\n`);
    await write('test/operations/getSpaceHost.test.ts', '// mine\n');
    await rm(join(copy.path, 'server/operations/getSpaceHost.ts'));
    await write(
      'server/operations/index.ts',
      (await read('server/operations/index.ts')).replace(/.*getUserFans\(parts\).*\n/, ''),
    );
    const { out } = await scaffold();
    expect(out).toMatch(/wrote +server\/operations\/getSpaceHost\.ts/);
    expect(await read('test/operations/getSpaceHost.test.ts')).toBe('// mine\n');
    expect(await read('server/operations/getUserFans.ts')).toMatch(/\/\/ mine\n$/);
    expect(await read('server/operations/index.ts')).toMatch(
      /getUserFollowings\(parts\),\n {2}getUserFans: getUserFans\(parts\),\n/,
    );
  });

  test('leaves a table of another shape unchanged, and prints the lines to add', async () => {
    const own = 'export const createHandlers = makeThem;\n';
    await write('server/operations/index.ts', own);
    const { code, out } = await scaffold();
    expect(code).toBe(0);
    expect(out).toMatch(
      /index\.ts has a shape of its own; add\n +import \{ getUserFans \} from '\.\/getUserFans\.ts';\n +getUserFans: getUserFans\(parts\),/,
    );
    expect(await read('server/operations/index.ts')).toBe(own);
    await write('server/operations/index.ts', table);
  });

  test('rejects a spec with faults, and prints them with their positions', async () => {
    await write('spec/openapi.yaml', spec.replace('x-items: retweeters', 'x-items: retweeterss'));
    const { code, err } = await scaffold();
    expect(code).toBe(1);
    expect(err).toMatch(/^spec\/openapi\.yaml:\d+:\d+ {2}extension-name\n {2}x-items of getTweetRetweeters /);
  });
});

test('rejects an unknown option', async () => {
  expect(await run(command, ['--force'], {})).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/Unknown option '--force'[^]*Usage:/),
  });
});

test('--help prints the usage', async () => {
  const { code, stdout } = await run(command, ['--help'], {});
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: npm run scaffold -- [--dry-run | --check]');
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ scripts: { scaffold: `exec node ${command}` } });
});
