/** What holds for the files of the repository as a whole, and for the workflow that checks them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { marked } from 'marked';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');

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
  expect(jobs.test!.steps).toEqual([...(await preparation(history)), { run: '.ci/run' }]);
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
  expect(files).toEqual(expect.arrayContaining(['ci.yml', 'codeql.yml', 'nightly.yml']));
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
  const listed = Array.from(list.matchAll(/\]\(([^)]+)\)/g), ([, file]) => `.github/${file}`);
  expect(listed).toEqual(['.github/CODEOWNERS', '.github/CODE_OF_CONDUCT.md']);
  for (const file of listed) expect(await read(file)).toContain('your-organisation');
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
