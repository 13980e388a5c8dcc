/** `spec/README.md` is done, step by step, on a copy of the repository: what it says is what happens. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { launch, present } from '../../support/browser.ts';
import { compiledOf, copyRepository } from '../../support/copy.ts';
import { fixedPort } from '../../support/ports.ts';
import { markReleased } from '../../support/released-copy.ts';
import { isFull, isWalkInTurn } from '../../support/rounds.ts';
import { edited, outputLike, stepsOf, type Command } from './document.ts';
import { openTerminal, type Terminal } from '../../support/terminal.ts';

const source = await readFile(new URL('../../../spec/README.md', import.meta.url), 'utf8');
const walk = source.slice(source.indexOf('\n## A change from end to end'));
const needed = ['bash', 'git', 'curl'];
const missing = needed.filter((program) => spawnSync(program, ['--version']).error !== undefined);

/** The variables of whoever runs the tests, but for those that would change what the commands do. */
function cleanEnvironment(port: number): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(
    ([name]) => !/^(GIT_|npm_|NODE_(?!COMPILE_CACHE)|JEST_|DATA_DIR$|API_KEYS$|FORCE_COLOR$)/i.test(name),
  );
  return {
    ...Object.fromEntries(passed),
    PORT: String(port),
    TOKEN_RESOLVER: 'off',
    NO_COLOR: '1',
    // What npm itself prints around a command is not in the document.
    npm_config_loglevel: 'silent',
    npm_config_update_notifier: 'false',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@test.example',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@test.example',
  };
}

test('every command of the document exists in the project', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    scripts: object;
  };
  const named = new Set(Array.from(source.matchAll(/npm run ([\w:]+)/g), ([, name]) => name!));
  expect([...named].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

// In each run, also where the walk below is not in turn.
test('every edit of the document has its place in the files of the project', async () => {
  const texts = new Map<string, string>();
  for (const action of stepsOf(walk).flatMap(({ actions }) => actions)) {
    if ('command' in action) continue;
    const { file } = action;
    const text =
      texts.get(file) ?? (await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8').catch(() => undefined));
    // The document counts from 1.0.0, wherever the contract is by now.
    texts.set(file, edited(text?.replace(/^  version: .*$/m, '  version: 1.0.0'), action));
  }
  expect(texts.size).toBeGreaterThan(8);
});

(missing.length === 0 && isWalkInTurn('spec/README.md') ? describe : describe.skip)(
  `the walk through spec/README.md (needs ${needed.join(', ')})`,
  () => {
    let copy: Awaited<ReturnType<typeof copyRepository>>;
    let port: number;
    let env: NodeJS.ProcessEnv;
    let terminal: Terminal;
    const others: Terminal[] = [];
    let failed: string | undefined;

    beforeAll(async () => {
      copy = await copyRepository([
        'operations',
        'ports/reference',
        'ports/conversations.ts',
        'support',
        'faults/preload',
      ]);
      port = await fixedPort();
      env = { ...cleanEnvironment(port), ...compiledOf(copy.path) };
      const git = (...parameters: string[]): void => void execFileSync('git', parameters, { cwd: copy.path, env });
      // Only what the document changes, and what that needs: each type check of the rest takes seconds.
      const config = join(copy.path, 'tsconfig.json');
      const include = '"include": ["server", "client/src", "test", "generated/*.ts"]';
      const text = (await readFile(config, 'utf8')).replace('"noEmit": true', '$&, "checkers": 1');
      await writeFile(config, text.replace(/"include": \[.*?\]/s, include));
      // The document counts from 1.0.0, wherever the contract is by now.
      await markReleased(copy.path, '1.0.0', '2026-01-02');
      git('init', '-q', '-b', 'main');
      await writeFile(join(copy.path, '.git/info/exclude'), '/node_modules\n');
      git('add', '-A');
      git('commit', '-qm', 'Release 1.0.0');
      terminal = openTerminal(copy.path, env);
    });
    afterAll(async () => {
      await Promise.all([terminal, ...others].map((each) => each?.close()));
      await copy?.dispose();
    });

    async function execute({ command, prints, stays }: Command): Promise<void> {
      const like = outputLike(prints);
      // A prompt stands on a line of its own, whatever was printed before it.
      const matches = (output: string): boolean => like.test(output.replace(/\n?$/, output === '' ? '' : '\n'));
      if (stays) {
        const other = openTerminal(copy.path, env);
        others.push(other);
        await other.start(command, matches);
        return;
      }
      const output = await terminal.run(command);
      if (!matches(output))
        throw new Error(`$ ${command}\nprinted\n${output}\nand the document says\n${prints.join('\n')}`);
    }

    // The port of the document may be taken on this machine; nothing else is changed.
    const usual = '127.0.0.1:3000';
    const steps = stepsOf(walk).map(({ heading, actions }) => [heading, actions] as const);

    test.each(steps)('%s', async (heading, actions) => {
      if (failed !== undefined) throw new Error(`the step '${failed}' failed before`);
      failed = heading;
      const here = (text: string): string => text.replaceAll(usual, `127.0.0.1:${port}`);
      for (const action of actions) {
        if ('command' in action) {
          await execute({ ...action, command: here(action.command), prints: action.prints.map(here) });
          continue;
        }
        const path = join(copy.path, action.file);
        const text = await readFile(path, 'utf8').catch(() => undefined);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, edited(text, { ...action, text: here(action.text) }));
      }
      failed = undefined;
    });

    // What is in the contract is on this page: `test/http/docs.browser.test.ts` checks that in each run.
    (present && isFull ? test : test.skip)(
      'the page /docs/try shows the new operation (nightly; needs Chromium)',
      async () => {
        if (failed !== undefined) throw new Error(`the step '${failed}' failed before`);
        const browser = await launch();
        try {
          const page = await browser.newPage();
          await page.goto(`http://127.0.0.1:${port}/docs/try`);
          const operation = page.locator('#operations-Tweets-getTweetAuthor');
          await operation.waitFor({ timeout: 60_000 });
          expect(await operation.textContent()).toContain('The author of a tweet');
        } finally {
          await browser.close();
        }
      },
    );
  },
);
