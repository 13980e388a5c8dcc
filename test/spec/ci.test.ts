/** What holds for the files of the repository as a whole, and for the workflow that checks them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { marked } from 'marked';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/folder.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');
const program = (name: string): string => new URL(`.ci/${name}`, root).pathname;

interface Workflow {
  readonly on: Record<string, unknown>;
  readonly jobs: Record<string, { readonly steps: readonly object[] }>;
}

/** A workflow, which reads no secret, and the steps that get the code and Node. */
async function workflow(file: string): Promise<Workflow> {
  const text = await read(`.github/workflows/${file}`);
  expect(text).not.toContain('secrets.');
  return parse(text) as Workflow;
}

async function preparation(checkout: object): Promise<object[]> {
  const { devDependencies } = JSON.parse(await read('package.json')) as { devDependencies: Record<string, string> };
  const node = Number(devDependencies.node?.split('.')[0]);
  return [
    { uses: expect.stringMatching(/^actions\/checkout@/), with: { 'persist-credentials': false, ...checkout } },
    {
      uses: expect.stringMatching(/^actions\/setup-node@/),
      with: expect.objectContaining({ 'node-version': node }),
    },
  ];
}
const history = { 'fetch-depth': 0 };

test('the GitHub workflow runs .ci/run with the complete history and the Node version of package.json', async () => {
  const { jobs } = await workflow('ci.yml');
  expect(jobs.test!.steps).toEqual([...(await preparation(history)), { run: '.ci/run' }, { run: 'npm run lint' }]);
});

test('each night GitHub runs the tests with large random rounds, and those with a network', async () => {
  const { on, jobs } = await workflow('nightly.yml');
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: object };
  expect(scripts).toMatchObject({ 'test:nightly': expect.any(String), 'test:network': expect.any(String) });
  expect(jobs.test!.steps).toEqual([
    ...(await preparation(history)),
    { run: '.ci/run test:nightly', env: { GENERATORS: 'all' } },
  ]);
  expect(jobs.network!.steps).toEqual([...(await preparation({})), { run: 'npm ci' }, { run: 'npm run test:network' }]);
});

test('workflows name each action by the digest of a commit, with its version beside it', async () => {
  const files = await readdir(new URL('.github/workflows/', root));
  expect(files).toEqual(expect.arrayContaining(['ci.yml', 'codeql.yml', 'nightly.yml', 'release.yml']));
  const texts = await Promise.all(files.map((file) => read(`.github/workflows/${file}`)));
  const uses = texts.flatMap((text) => text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line)));
  expect(uses.length).toBeGreaterThan(files.length);
  expect(uses.filter((line) => !/uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test('Dependabot updates each folder that it names once a week, in groups', async () => {
  const { updates } = parse(await read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory: string; schedule: { interval: string }; groups: object }[];
  };
  expect(updates.map((update) => `${update['package-ecosystem']} ${update.directory}`)).toEqual([
    ...['npm /', 'npm /client', 'npm /scripts/bench'],
    'github-actions /',
  ]);
  for (const { 'package-ecosystem': ecosystem, directory, schedule, groups } of updates) {
    expect([schedule.interval, Object.keys(groups).length]).toEqual(['weekly', 1]);
    expect(existsSync(new URL(`.${directory}/package.json`, root))).toBe(ecosystem === 'npm' || directory === '/');
  }
});

test('the development container has the Node version of package.json', async () => {
  const { devDependencies } = JSON.parse(await read('package.json')) as { devDependencies: Record<string, string> };
  const container = JSON.parse(await read('.devcontainer/devcontainer.json')) as object;
  expect(container).toMatchObject({ image: `node:${devDependencies.node}-bookworm`, postCreateCommand: 'npm ci' });
});

interface IssueForm {
  readonly name: string;
  readonly description: string;
  readonly body: { readonly type: string; readonly id?: string; readonly attributes: { readonly label?: string } }[];
}

test.each(['bug', 'feature'])('the issue form "%s" is one that GitHub accepts', async (name) => {
  const form = parse(await read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as IssueForm;
  expect(form).toMatchObject({ name: expect.stringMatching(/\S/), description: expect.stringMatching(/\S/) });
  const fields = form.body.filter(({ type }) => type !== 'markdown');
  for (const { type, attributes } of fields) {
    expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
    expect(attributes.label).toMatch(/\S/);
  }
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
});

test('placeholders for an owner stand in the files that CONTRIBUTING.md lists', async () => {
  const [, list = ''] =
    /placeholders?[^\n]*`your-organisation`([\s\S]*?)(?:\n\n|$)/i.exec(await read('.github/CONTRIBUTING.md')) ?? [];
  const listed = Array.from(list.matchAll(/\]\(([^)]+)\)/g), ([, file]) => join('.github', file!));
  expect(listed).toEqual(['.github/CODEOWNERS', '.github/CODE_OF_CONDUCT.md', 'package.json', 'client/package.json']);
  for (const file of listed) expect(await read(file)).toContain('your-organisation');
  const { status, stdout } = spawnSync(program('placeholders'), { cwd: root, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout.trim().split('\n').slice(1).toSorted()).toEqual(listed.toSorted());
});

test('the check of placeholders passes once they are replaced', async () => {
  const folder = await temporaryFolder();
  for (const file of [
    'package.json',
    'client/package.json',
    '.github/CODEOWNERS',
    '.github/CODE_OF_CONDUCT.md',
    '.ci/placeholders',
  ]) {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    const text = await read(file);
    const replaced = file.startsWith('.ci') ? text : text.replaceAll('your-organisation', 'ada');
    await writeFile(join(folder.path, file), replaced, { mode: 0o755 });
  }
  expect(spawnSync(join(folder.path, '.ci/placeholders')).status).toBe(0);
  await folder.dispose();
});

test('the packages name their repository, homepage and place for issues', async () => {
  for (const file of ['package.json', 'client/package.json']) {
    const { repository, homepage, bugs } = JSON.parse(await read(file)) as {
      repository: { type: string; url: string; directory?: string };
      homepage: string;
      bugs: string;
    };
    expect(repository).toMatchObject({ type: 'git', url: expect.stringMatching(/^git\+https:\/\/.*\.git$/) });
    expect(repository.directory).toBe(file === 'package.json' ? undefined : 'client');
    const address = repository.url.replace(/^git\+|\.git$/g, '');
    expect([homepage.startsWith(address), bugs]).toEqual([true, `${address}/issues`]);
  }
});

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Record<string, string>;
  readonly environment?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Record<string, unknown> }[];
}

describe('the release workflow', () => {
  const release = async (): Promise<{ on: object; permissions: object; jobs: Record<string, Job> }> =>
    (await workflow('release.yml')) as unknown as { on: object; permissions: object; jobs: Record<string, Job> };
  const commands = ({ steps }: Job): string => steps.map(({ run = '' }) => run).join('\n');

  test('runs for the tags that `npm run release` makes, and gives each job what it needs only', async () => {
    const { on, permissions, jobs } = await release();
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
    expect(permissions).toEqual({});
    expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
      check: { contents: 'read' },
      client: { contents: 'read', 'id-token': 'write' },
      image: { contents: 'read', packages: 'write' },
      release: { contents: 'write' },
    });
    for (const { steps } of Object.values(jobs))
      for (const { uses = '', with: options } of steps)
        if (uses.startsWith('actions/checkout@')) expect(options).toMatchObject({ 'persist-credentials': false });
  });

  test('checks everything, also placeholders, before anything is published', async () => {
    const { jobs } = await release();
    expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
      ['check', undefined],
      ['client', 'check'],
      ['image', 'check'],
      ['release', ['client', 'image']],
    ]);
    const runs = jobs['check']!.steps.flatMap(({ run }) => run ?? []);
    expect(runs[0]).toBe('.ci/placeholders');
    expect(runs.at(-1)).toBe('.ci/run');
    expect(commands(jobs['client']!)).toMatch(/^npm publish \.\/client --provenance --access public$/m);
    expect(commands(jobs['image']!)).toContain('--file server/deploy/Dockerfile');
    expect(commands(jobs['image']!).indexOf('docker run')).toBeLessThan(
      commands(jobs['image']!).indexOf('docker push'),
    );
    expect(commands(jobs['release']!)).toMatch(/release-notes .*\| gh release create .*--verify-tag/);
  });

  test('names commands, scripts and files that exist, and puts no expression into a command', async () => {
    const { jobs } = await release();
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const all = Object.values(jobs).map(commands).join('\n');
    for (const [, name = ''] of all.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name);
    const files = [...all.matchAll(/(?:^|\s)(\.ci\/[\w-]+|server\/[\w/.-]+)/g)].map(([, file = '']) => file);
    expect(files).toEqual(expect.arrayContaining(['.ci/placeholders', '.ci/run', '.ci/release-notes']));
    for (const file of files) expect([file, existsSync(new URL(file, root))]).toEqual([file, true]);
    // The name of a tag is the text of a person: it reaches a shell as a variable.
    expect(all).not.toContain('${{');
    // In each block, what a shell would not parse is found here.
    for (const { steps } of Object.values(jobs))
      for (const { run } of steps)
        if (run !== undefined) expect(spawnSync('bash', ['-n', '-c', run], { encoding: 'utf8' }).stderr).toBe('');
  });

  test('takes the notes from the section of the changelog', async () => {
    const notes = (version: string) => spawnSync(program('release-notes'), [version], { cwd: root, encoding: 'utf8' });
    const { status, stdout } = notes('1.2.0');
    expect(status).toBe(0);
    expect((await read('.github/CHANGELOG.md')).replaceAll(/\s+/g, ' ')).toContain(
      stdout.trim().replaceAll(/\s+/g, ' '),
    );
    expect(stdout).toMatch(/^### /m);
    expect(stdout).not.toMatch(/^## /m);
    expect(notes('9.9.9')).toMatchObject({ status: 1, stderr: 'the changelog has no section 9.9.9\n' });
  });
});

/** Runs `git grep` over the tracked text files; undefined where there is no repository. */
function tracked(...parameters: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['grep', '-I', '--files-with-matches', ...parameters], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 || status === 1 ? stdout : undefined;
}
const isRepository = spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: root }).status === 0;

(isRepository ? test : test.skip)('text files are as .editorconfig says (needs a git repository)', async () => {
  const settings = await read('.editorconfig');
  for (const line of ['root = true', 'end_of_line = lf', 'trim_trailing_whitespace = true', 'indent_style = space'])
    expect(settings).toContain(line);
  expect({
    carriageReturns: tracked('-P', '\\r$'),
    trailingSpace: tracked('-P', '[ \\t]+$'),
    tabs: tracked('-P', '^\\t', '--', ':!server/deploy/Caddyfile', ':!test/spec/generators/programs/'),
  }).toEqual({ carriageReturns: '', trailingSpace: '', tabs: '' });
});

/** The files that a Markdown text links to, relative to its own; addresses, and places within the same file, are none. */
function linkedFiles(text: string): string[] {
  const files: string[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => {
    if ((token.type === 'link' || token.type === 'image') && !/^(?:[a-z][a-z+.-]*:|#|\/)/i.test(token.href as string))
      files.push(decodeURIComponent((token.href as string).replace(/[#?].*$/s, '')));
  });
  return files;
}

test('each file of the code that a document of .github names exists', async () => {
  const folder = new URL('.github/', root);
  const pages = (await readdir(folder, { recursive: true })).filter(
    (page) => page.endsWith('.md') && page !== 'CHANGELOG.md',
  );
  const named = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(new URL(page, folder), 'utf8');
      return Array.from(
        text.matchAll(/`((?:server|test|scripts|client|pages)\/[\w./-]+)`/g),
        ([, file = '']) => [page, file] as const,
      );
    }),
  );
  expect(named.flat().length).toBeGreaterThan(20);
  const missing = named
    .flat()
    .filter(([, file]) => !['', '.test.ts'].some((end) => existsSync(new URL(file + end, root))));
  expect(missing).toEqual([]);
});

(isRepository ? test : test.skip)(
  'each file that a Markdown file of the repository links to exists (needs a git repository)',
  async () => {
    const { stdout } = spawnSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' });
    // The links of the guide are those of the site, which other tests follow.
    const pages = stdout
      .split('\0')
      .filter((page) => page !== '' && !page.startsWith('server/http/docs/') && existsSync(new URL(page, root)));
    expect(pages).toContain('README.md');
    const links = await Promise.all(
      pages.map(async (page) => linkedFiles(await read(page)).map((file) => [page, file] as const)),
    );
    expect(links.flat().length).toBeGreaterThan(pages.length);
    expect(links.flat().filter(([page, file]) => !existsSync(new URL(file, new URL(page, root))))).toEqual([]);
  },
);
