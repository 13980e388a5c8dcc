/** The check of commit subjects, in repositories of its own. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fastParent, temporaryFolder } from '../support/folder.ts';
import { gitEnvironment, hasGit } from '../support/released-copy.ts';

const script = new URL('../../.ci/commit-subjects', import.meta.url);
const hasBash = spawnSync('bash', ['--version']).status === 0;
const testWithGit = hasGit && hasBash ? test : test.skip;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder(fastParent);
  await mkdir(join(folder.path, '.ci'));
  await cp(script, join(folder.path, '.ci/commit-subjects'));
});
afterEach(() => folder.dispose());

function git(...parameters: string[]): void {
  const { status, stderr } = spawnSync('git', parameters, { cwd: folder.path, env: gitEnvironment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${parameters.join(' ')}: ${stderr}`);
}
const commit = (subject: string, ...options: string[]): void =>
  git('commit', '--quiet', '--allow-empty', '--message', subject, ...options);
/** A repository whose branch `main` is as the one of its origin. */
function start(): void {
  git('init', '--quiet', '--initial-branch', 'main');
  commit('Start');
  atOrigin();
}
const atOrigin = (): void => git('update-ref', 'refs/remotes/origin/main', 'HEAD');

/** The exit code of the check in a folder of the test's folder, and the subjects that it reports. */
function check(project = ''): [code: number | null, reported: string[]] {
  const run = { cwd: '/', env: gitEnvironment, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync('bash', [join(folder.path, project, '.ci/commit-subjects')], run);
  return [status, Array.from(stdout.matchAll(/at most 72 are permitted: (.*)/g), ([, subject = '']) => subject)];
}

const [longest, tooLong] = ['é'.repeat(72), 'é'.repeat(73)];

testWithGit('a commit of a branch has a subject of at most 72 characters, of any alphabet', () => {
  start();
  commit(longest);
  expect(check()).toEqual([0, []]);
  commit(tooLong, '--message', 'A body.');
  commit('Next');
  expect(check()).toEqual([1, [tooLong]]);
});

testWithGit('on the branch main, the last 20 commits count', () => {
  start();
  commit(tooLong);
  for (let count = 0; count < 19; count += 1) commit(`Change ${count}`);
  atOrigin();
  expect(check()).toEqual([1, [tooLong]]);
  commit('One more');
  atOrigin();
  expect(check()).toEqual([0, []]);
});

testWithGit('commits before the rule, merges and those of Dependabot do not count', () => {
  start();
  commit(tooLong, '--date', '2026-11-28T14:00:00Z');
  commit(tooLong, '--author', 'dependabot[bot] <support@github.com>');
  git('branch', 'other');
  commit('Of main');
  git('switch', '--quiet', 'other');
  commit('Of a branch');
  git('merge', '--quiet', '--message', tooLong, 'main');
  expect(check()).toEqual([0, []]);
});

testWithGit('a shallow checkout has only its last commit to check', async () => {
  start();
  commit(tooLong);
  commit('Last');
  git('update-ref', '-d', 'refs/remotes/origin/main');
  expect(check()).toEqual([1, [tooLong]]);
  await cp(join(folder.path, '.git/refs/heads/main'), join(folder.path, '.git/shallow'));
  expect(check()).toEqual([0, []]);
});

testWithGit('a folder without a history passes, also within another repository', async () => {
  expect(check()).toEqual([0, []]);
  start();
  commit(tooLong);
  await cp(script, join(folder.path, 'unpacked/.ci/commit-subjects'));
  expect(check('unpacked')).toEqual([0, []]);
});
