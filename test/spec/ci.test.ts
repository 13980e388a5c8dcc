/** What holds for the files of the repository as a whole, and for the workflow that checks them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
    { uses: expect.stringMatching(/^actions\/checkout@v\d+$/), with: { 'persist-credentials': false, ...checkout } },
    {
      uses: expect.stringMatching(/^actions\/setup-node@v\d+$/),
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

(isRepository ? test : test.skip)(
  'each file that a Markdown file links to exists (needs a git repository)',
  async () => {
    const { stdout } = spawnSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' });
    const pages = stdout.split('\0').filter((page) => page !== '' && existsSync(new URL(page, root)));
    expect(pages).toContain('README.md');
    const links = await Promise.all(
      pages.map(async (page) => linkedFiles(await read(page)).map((file) => [page, file] as const)),
    );
    expect(links.flat().length).toBeGreaterThan(pages.length);
    expect(links.flat().filter(([page, file]) => !existsSync(new URL(file, new URL(page, root))))).toEqual([]);
  },
);
