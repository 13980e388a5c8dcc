import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runDiff, type Outcome } from '../../../scripts/spec/diff/main.ts';
import { releasedFiles } from '../../../scripts/spec/release/released.ts';
import { yamlValue } from '../../../scripts/contract-tools/files/yaml.ts';
import { nightlyTest } from '../../support/nightly.ts';

const command = new URL('../../../scripts/spec/diff/main.ts', import.meta.url).pathname;
const real = new URL('../../../spec/openapi.yaml', import.meta.url).pathname;
// Not the settings of whoever runs the tests, nor the repository of a hook that does.
const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
const env = { ...inherited, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', NO_COLOR: '1' };
const people = [
  '-c',
  'user.name=Test',
  '-c',
  'user.email=test@test.example',
  '-c',
  'tag.gpgSign=false',
  '-c',
  'commit.gpgSign=false',
];
const hasGit = spawnSync('git', ['--version']).status === 0;

const run = (folder: string, ...parameters: string[]): Promise<Outcome> => runDiff(parameters, folder);

const spec = (version: string, values: string, more = ''): string => `openapi: 3.1.0
info:
  title: Things
  version: ${version}
paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200':
          description: Them.
          content:
            application/json:
              schema:
                type: string
                enum: ${values}
${more}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spec-diff-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = async (root: string, text: string): Promise<void> => {
  await mkdir(join(root, 'spec'), { recursive: true });
  await writeFile(join(root, 'spec/openapi.yaml'), text);
};

(hasGit ? describe : describe.skip)('in a repository (needs git)', () => {
  let root: string;
  const git = (...parameters: string[]): void => {
    const { status, stderr } = spawnSync('git', [...people, ...parameters], { cwd: root, env });
    if (status !== 0) throw new Error(String(stderr));
  };
  const commit = async (text: string): Promise<void> => {
    await write(root, text);
    git('add', '-A');
    git('commit', '-qm', 'A version');
  };
  beforeAll(async () => {
    root = join(folder, 'repository');
    await mkdir(root);
    git('init', '-q');
  });

  /** Releases the contract by hand, as the release command does it. */
  const released = async (text: string, version: string): Promise<void> => {
    await mkdir(join(root, 'spec/released'), { recursive: true });
    await mkdir(join(root, '.github'), { recursive: true });
    await writeFile(join(root, '.github/CHANGELOG.md'), `# Changelog\n\n## ${version} - 2026-01-02\n`);
    for (const [path, content] of Object.entries(releasedFiles(yamlValue(text), version, '2026-01-02')))
      await writeFile(join(root, path), content);
  };

  nightlyTest('before the first release, reports that there is no released contract', async () => {
    await commit(spec('1.0.0', '[a]'));
    git('tag', 'v1.0.0');
    const { code, out, err } = await run(root);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('there is no spec/released/openapi.json: name a file, tag, branch or commit to compare with');
  });

  test('after a release, compares with the released contract, and rejects a breaking change without a new major version', async () => {
    await released(spec('1.0.1', '[a]'), '1.0.1');
    await commit(spec('1.0.1', '[a]', 'tags: [{ name: Things }]\n'));
    git('tag', '-a', '-m', 'Release', 'v1.0.1');
    git('rm', '-q', 'spec/openapi.yaml');
    git('commit', '-qm', 'Without the contract');
    git('tag', 'v1.0.2');
    await commit(spec('1.0.1', '[a, b]'));

    const refused = await run(root);
    expect(refused.out).toContain('spec/released/openapi.json → spec/openapi.yaml');
    expect(refused.out).toContain(
      'enum-value-added "b"  GET /things › responses › 200 › content › application/json › enum',
    );
    expect(refused.out).toMatch(/^ {4}- spec\/released\/openapi\.json:\d+:\d+ {2}\["a"\]$/m);
    expect(refused.out).toContain('+ spec/openapi.yaml:16:17  ["a","b"]');
    expect(refused.out).toContain('at least 2.0.0');
    expect(refused.code).toBe(1);

    await write(root, spec('2.0.0', '[a, b]'));
    expect((await run(root)).code).toBe(0);
  });

  nightlyTest('rejects an edited released contract', async () => {
    await writeFile(
      join(root, 'spec/released/openapi.json'),
      '{"openapi":"3.1.0","info":{"title":"Things","version":"1.0.1"}}',
    );
    const { code, out, err } = await run(root, '--format', 'json');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      /^spec:diff: only `npm run release` may change the released contract\n {2}spec\/released\/openapi\.json is not/,
    );
    git('checkout', '-q', '--', 'spec/released');
  });

  nightlyTest('accepts one or two tags, branches or commits', async () => {
    const { code, out } = await run(root, 'v1.0.0', 'v1.0.1');
    expect(out).toContain('v1.0.0:spec/openapi.yaml → v1.0.1:spec/openapi.yaml');
    expect(out).toContain('0 breaking, 0 to take care of, 1 safe.');
    expect(code).toBe(0);
    expect(await run(root, 'v1.0.2')).toMatchObject({
      code: 2,
      out: '',
      err: 'spec:diff: v1.0.2 holds no spec/openapi.yaml',
    });
    expect(await run(root, 'v9')).toMatchObject({
      code: 2,
      out: '',
      err: 'spec:diff: v9 is neither a file nor a tag, branch or commit of this repository',
    });
  });
});

describe('with files', () => {
  let root: string;
  const file = (name: string): string => join(root, name);
  beforeAll(async () => {
    root = join(folder, 'plain');
    await write(root, spec('1.0.0', '[a, b]'));
    await writeFile(file('old.yaml'), spec('1.0.0', '[a]'));
    await writeFile(file('broken.yaml'), 'openapi: 3.1.0\ninfo: [\n');
    await writeFile(
      file('dangling.yaml'),
      spec('1.0.0', '[a]').replace('                enum: [a]', '                $ref: "#/components/schemas/Gone"'),
    );
    await writeFile(file('other.json'), '{"name":"social-data"}');
  });

  test('JSON has all findings', async () => {
    const { code, out } = await run(root, '--format', 'json', 'old.yaml');
    expect(JSON.parse(out)).toEqual({
      base: 'old.yaml',
      faults: [],
      waived: [],
      revision: 'spec/openapi.yaml',
      summary: { breaking: 1, care: 0, safe: 0 },
      version: {
        from: '1.0.0',
        to: '1.0.0',
        required: 'major',
        moved: null,
        ok: false,
        message: expect.stringContaining('at least 2.0.0'),
      },
      findings: [
        {
          rule: 'enum-value-added',
          level: 'breaking',
          bump: 'major',
          subject: '"b"',
          where: 'GET /things › responses › 200 › content › application/json › enum',
          before: {
            file: 'old.yaml',
            pointer: '/paths/~1things/get/responses/200/content/application~1json/schema/enum',
            value: ['a'],
            line: 16,
            column: 17,
          },
          after: {
            file: 'spec/openapi.yaml',
            pointer: '/paths/~1things/get/responses/200/content/application~1json/schema/enum',
            value: ['a', 'b'],
            line: 16,
            column: 17,
          },
          reach: [{ side: 'response', level: 'breaking', callers: ['GET /things'] }],
          advice: expect.stringContaining('Callers may receive an unknown value'),
        },
      ],
    });
    expect(code).toBe(1);
  });

  test('formats Markdown for a pull request', async () => {
    const { out } = await run(root, '--format=markdown', 'old.yaml');
    expect(out).toMatch(/^## `old.yaml` → `spec\/openapi.yaml`\n\n❌ 1 breaking/);
    expect(out).toContain('### Breaking\n\n- **enum-value-added** `"b"` at `GET /things › ');
    expect(out).toContain('before `["a"]`, now `["a","b"]`');
  });

  test('formats annotations of GitHub Actions: errors where the version is too small', async () => {
    const { code, out } = await run(root, '--format', 'github', 'old.yaml');
    expect(code).toBe(1);
    const [finding, version] = out.split('\n');
    expect(finding).toMatch(
      /^::error file=spec\/openapi\.yaml,line=16,col=17,title=breaking%3A enum-value-added "b"::GET \/things › /,
    );
    expect(version).toMatch(/^::error title=info\.version::info\.version stayed at 1\.0\.0, .*at least 2\.0\.0\.$/);
    await writeFile(file('new.yaml'), spec('2.0.0', '[a, b]'));
    const covered = await run(root, '--format', 'github', 'old.yaml', 'new.yaml');
    expect(covered.out).toMatch(/^::warning file=new\.yaml,line=16,.*\n::notice title=info\.version::/);
    expect(covered.code).toBe(0);
  });

  test('formats JUnit XML, in which a finding fails that the version does not cover', async () => {
    const { out } = await run(root, '--format', 'junit', 'old.yaml');
    expect(out).toContain('<testsuite name="old.yaml → spec/openapi.yaml" tests="2" failures="2" skipped="0">');
    expect(out).toMatch(
      /name="breaking enum-value-added &quot;b&quot; at GET .*\(spec\/openapi\.yaml:16:17\)"><failure message="Callers may/,
    );
    const covered = await run(root, '--format', 'junit', 'old.yaml', 'new.yaml');
    expect(covered.out).toContain('tests="2" failures="0"');
  });

  const wrong: readonly (readonly [what: string, parameters: string[], says: RegExp])[] = [
    ['nothing to compare with', [], /there is no spec\/released\/openapi\.json: name a file/],
    [
      'an unknown name',
      ['nope.yaml'],
      /there is no file nope\.yaml, and (this folder is no git repository|git is not installed)/,
    ],
    ['a file that is not OpenAPI', ['other.json'], /^spec:diff: other\.json is no OpenAPI 3\.1 document/],
    ['a file that is not YAML', ['broken.yaml'], /^spec:diff: broken\.yaml: .* at line 3/],
    [
      'a reference without a target',
      ['dangling.yaml'],
      /^spec:diff: dangling\.yaml:16:17: \$ref '#\/components\/schemas\/Gone' has no target/,
    ],
    ['an unknown option', ['--loud'], /Unknown option '--loud'[^]*Usage:/],
    [
      'an unknown format',
      ['--format', 'xml', 'old.yaml'],
      /--format is text, markdown, json, github, junit, html; not xml/,
    ],
    ['three versions', ['old.yaml', 'old.yaml', 'old.yaml'], /at most two versions/],
  ];
  test.each(wrong)('reports %s in one line without a stack', async (_, parameters, says) => {
    const { code, out, err } = await run(root, ...parameters);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('--help prints the usage', async () => {
    const { status, stdout: out } = spawnSync(process.execPath, [command, '--help'], { cwd: root, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(out).toContain('npm run spec:diff -- [--format text|markdown|json|github|junit|html] [BASE [REVISION]]');
    const { scripts } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['spec:diff']).toBe('exec node scripts/spec/diff/main.ts');
  });

  test('the real contract equals itself', async () => {
    expect(await run(root, real, real)).toMatchObject({ code: 0, out: expect.stringContaining('Nothing differs.') });
  });
});
