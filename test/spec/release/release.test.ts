/** `npm run release`, run on copies of the repository with a separate git repository. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseDocument, type Document } from 'yaml';
import { runDiff } from '../../../scripts/spec/diff/main.ts';
import { changelogs, parseChangelog } from '../../../scripts/spec/release/changelog.ts';
import { runRelease } from '../../../scripts/spec/release/main.ts';
import { makeRelease } from '../../../scripts/spec/release/release.ts';
import { checkReleased, releasedContract, releaseRecord } from '../../../scripts/spec/release/released.ts';
import { versionedFiles, versionIn } from '../../../scripts/spec/release/versions.ts';
import { inTurn, isWalkInTurn } from '../../support/rounds.ts';
import { gitEnvironment, hasGit, releasedCopy, type Outcome, type ReleasedCopy } from '../../support/released-copy.ts';
import { temporaryFolder } from '../../support/server.ts';
import { nightlyTest } from '../../support/nightly.ts';

const root = new URL('../../../', import.meta.url).pathname;
const command = 'scripts/spec/release/main.ts';

(hasGit ? describe : describe.skip)('in a repository (needs git)', () => {
  let project: ReleasedCopy;
  /** The commit to start from, right after the release. */
  let released: string;
  beforeAll(async () => {
    Object.assign(process.env, gitEnvironment);
    project = await releasedCopy();
    released = project.git('rev-parse', 'HEAD').trim();
  });
  afterAll(() => project?.dispose());
  beforeEach(() => reset(released));

  const reset = (commit: string): void =>
    void project.shell(
      `rm -f .git/hooks/pre-commit
      git checkout --quiet --force -B main "$1"
      git clean --quiet --force -d
      git tag | xargs -r git tag --delete`,
      commit,
    );
  const change = async (file: string, from: string, to: string): Promise<void> => {
    const text = await project.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    await project.write(file, text.replace(from, to));
  };
  /** Writes a line to the changelog of the service. */
  const note = (text: string): Promise<void> =>
    change(changelogs.service, '## Unreleased\n', `## Unreleased\n\n### Changed\n\n- ${text}\n`);
  async function changeContract(edit: (document: Document) => void): Promise<void> {
    const document = parseDocument(await project.read('spec/openapi.yaml'));
    edit(document);
    await project.write('spec/openapi.yaml', String(document));
  }
  /** A commit with a line in the changelog, and a generator that does nothing: generated files do not matter here. */
  async function prepare(): Promise<void> {
    await note('A change.');
    await project.write('scripts/spec/generate.ts', '');
    project.commit('A change');
  }
  /** All that a release could leave behind. */
  const state = (): string =>
    project.shell('git rev-parse HEAD; git status --porcelain; git tag; git worktree list; git branch');
  /** Calls the command in this process, which takes half of the time of a process of the command. */
  const release = (...parameters: string[]): Promise<Outcome> => runRelease(parameters, project.path);
  /** The message of a minor release that is refused. */
  async function refusal(): Promise<string> {
    const options = { folder: project.path, bump: 'minor', date: '2026-01-03', dryRun: false } as const;
    return makeRelease(options).then(
      () => 'none',
      (error: Error) => error.message,
    );
  }

  /** Commits an addition to the contract; returns the commit. */
  async function addNotes(): Promise<string> {
    await note('Spaces have notes.');
    await changeContract((document) => {
      document.setIn(['components', 'schemas', 'Space', 'properties', 'note'], {
        type: 'string',
        description: 'A note.',
      });
      // In the middle of the project's own layout: a comment stays where it is.
      document.commentBefore = ' The contract.';
    });
    const { code, err } = await project.run('scripts/spec/generate.ts');
    if (code !== 0) throw new Error(err);
    project.commit('Notes of spaces');
    return project.git('rev-parse', 'HEAD').trim();
  }

  const walk = isWalkInTurn('npm run release') ? test : test.skip;
  walk('a minor release moves all versions, the changelogs and the released contract, commits and tags', async () => {
    const added = await addNotes();
    const { code, out, err } = await project.run(command, 'minor');
    expect({ code, err }).toEqual({ code: 0, err: '' });

    for (const file of versionedFiles)
      expect([file, versionIn(file, await project.read(file))]).toEqual([file, '1.1.0']);
    const lock = JSON.parse(await project.read('package-lock.json')) as { packages: { '': { version: string } } };
    expect(lock.packages[''].version).toBe('1.1.0');
    const { date } = JSON.parse(await project.read(releaseRecord)) as { date: string };
    expect(await project.read(changelogs.service)).toContain(
      `## Unreleased\n\n## 1.1.0 - ${date}\n\n### Changed\n\n- Spaces have notes.\n\n## 1.0.0 - 2026-01-02\n`,
    );
    expect(await project.read(changelogs.client)).toContain(`## Unreleased\n\n## 1.1.0 - ${date}\n\nNo changes`);
    expect(JSON.parse(await project.read(releasedContract))).toEqual(
      parseDocument(await project.read('spec/openapi.yaml')).toJS(),
    );
    expect((await project.run('scripts/spec/generate.ts', '--check')).out).toContain('generated/ is up to date');

    expect(project.git('log', '--format=%s', `${added}..main`)).toBe('Release 1.1.0\n');
    expect(project.git('cat-file', '-t', 'v1.1.0')).toBe('tag\n');
    expect(project.git('rev-parse', 'v1.1.0^{commit}')).toBe(project.git('rev-parse', 'HEAD'));
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(project.git('show', '--stat', '--format=', 'HEAD')).not.toContain('node_modules');
    for (const line of ['git push --atomic origin main v1.1.0', 'npm publish ./client', '-t social-data:1.1.0'])
      expect(out).toContain(line);
    expect(await checkReleased(project.path)).toEqual({ faults: [] });
    expect((await runDiff([], project.path)).out).toContain('Nothing differs.');

    // The next release follows this one, and cannot be taken back by a commit.
    await prepare();
    expect((await release('patch')).code).toBe(0);
    expect(JSON.parse(await project.read(releaseRecord))).toMatchObject({ version: '1.1.1' });
    expect(await checkReleased(project.path)).toEqual({ faults: [] });
    project.git('checkout', '--quiet', 'v1.1.0', '--', '.');
    project.commit('Back to the release before');
    expect((await checkReleased(project.path)).faults).toEqual([
      expect.stringMatching(/^spec\/released is that of 1\.1\.0, but commit [0-9a-f]{10} has the release 1\.1\.1$/),
    ]);
  });

  test('--dry-run shows the release and changes nothing', async () => {
    await prepare();
    const before = state();
    const { code, out, err } = await release('--dry-run', 'major');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('A release on main would be 2.0.0, with the tag v2.0.0. Nothing was changed.');
    expect(out).toContain('The contract does not differ from that of 1.0.0.');
    expect(out).toContain('- A change.');
    expect(out).toMatch(/^ spec\/released\/release\.json +\|/m);
    expect(state()).toBe(before);
  });

  nightlyTest('a release with a waived change is a release for the gate afterwards', async () => {
    await note('The titles of spaces are optional.');
    await changeContract((document) => {
      const required = document.getIn(['components', 'schemas', 'Space', 'required']) as { toJSON(): string[] };
      document.setIn(
        ['components', 'schemas', 'Space', 'required'],
        required.toJSON().filter((name) => name !== 'title'),
      );
    });
    const waiver = { finding: 'required-removed', place: 'Space › required', reason: 'Agreed.', until: '2999-01-01' };
    await project.write('spec/waivers.yaml', JSON.stringify([waiver]));
    const { code, err } = await project.run('scripts/spec/generate.ts');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    project.commit('Titles of spaces are optional');
    expect(await release('minor')).toMatchObject({ code: 0, err: '' });
    expect(await checkReleased(project.path)).toEqual({ faults: [] });
  });

  nightlyTest('a contract with a higher version is released at this version', async () => {
    await change('spec/openapi.yaml', '  version: 1.0.0\n', '  version: 2.0.0 # the next one\n');
    await prepare();
    expect(await release('minor')).toMatchObject({
      code: 1,
      err: expect.stringContaining('spec/openapi.yaml is at 2.0.0 already'),
    });
    expect((await release('major')).code).toBe(0);
    expect(await project.read('spec/openapi.yaml')).toContain('  version: 2.0.0 # the next one\n');
  });

  type Refusal = readonly [what: string, arrange: () => Promise<void> | void, says: RegExp];
  const faultsOfGenerator: readonly Refusal[] = [
    [
      'generated files that are stale',
      async () => {
        await note('A change.');
        await change('generated/scopes.ts', 'scopes', 'scope');
        project.commit('By hand');
      },
      /the generator failed:\nstale: generated\/scopes\.ts/,
    ],
    [
      'a spec that does not pass the lint',
      async () => {
        await note('A change.');
        await changeContract((document) => document.setIn(['components', 'schemas', 'Unused'], { type: 'string' }));
        project.commit('A misspelling');
      },
      /the generator failed:\n[^]*spec\/openapi\.yaml/,
    ],
  ];
  const refusals: readonly Refusal[] = [
    [
      'a work tree that is not clean',
      () => project.write('notes.txt', 'x'),
      /^the work tree is not clean: [^]*\?\? notes\.txt/,
    ],
    [
      'a detached HEAD',
      () => void project.git('checkout', '--quiet', '--detach'),
      /HEAD is detached: check out the branch/,
    ],
    [
      'a step that is too small for a breaking change',
      async () => {
        await changeContract((document) =>
          document.deleteIn(['components', 'schemas', 'Space', 'properties', 'title']),
        );
        project.commit('No titles');
      },
      /demand a major release, not a minor one/,
    ],
    [
      'a step that is too small for the client, which lacks an entry',
      async () => {
        await note('A change.');
        await change('client/package.json', '"./validate": {', '"./check": {');
        project.commit('Another name');
      },
      /the client's differences from 1\.0\.0 demand a major release, not a minor one:\n {2}the entry validate is missing$/,
    ],
    [
      'a step that is too small for what the changelog of the client says',
      async () => {
        await change(
          changelogs.client,
          '## Unreleased\n',
          '## Unreleased\n\n### Changed\n\n- Breaking: `fetch` gets a URL.\n',
        );
        project.commit('A change of behaviour');
      },
      /demand a major release, not a minor one:\n {2}client\/CHANGELOG\.md: Breaking: `fetch` gets a URL\.$/,
    ],
    ['nothing to say', () => {}, /\.github\/CHANGELOG\.md says nothing under "Unreleased"/],
    ['a tag that is there', () => void project.git('tag', 'v1.1.0'), /there is a tag v1\.1\.0 already/],
    [
      'a released contract that was edited',
      async () => {
        await change(releasedContract, 'Social Data', 'Data');
        project.commit('By hand');
      },
      /only this command may change the released contract\n {2}spec\/released\/openapi\.json is not/,
    ],
    [
      'a changelog of another form',
      async () => {
        await change(changelogs.client, '## 1.0.0 - 2026-01-02', '## The first');
        project.commit('A heading');
      },
      /^client\/CHANGELOG\.md: Parse error in the line \d+/,
    ],
  ];
  /** These are found late, by the programs that a release runs. */
  const lateRefusals: readonly Refusal[] = [
    ...faultsOfGenerator,
    [
      'a hook that refuses the commit',
      async () => {
        await prepare();
        await project.executable('.git/hooks/pre-commit', 'echo not today >&2\nexit 1\n');
      },
      /^not today$/m,
    ],
  ];
  const title = 'rejects %s with a message, and changes nothing';
  async function expectRefused(_: string, arrange: Refusal[1], says: RegExp): Promise<void> {
    await arrange();
    const before = state();
    expect(await refusal()).toMatch(says);
    expect(state()).toBe(before);
  }
  test.each(inTurn(refusals, 4))(title, expectRefused);
  nightlyTest.each(lateRefusals)(title, expectRefused);

  test('the command prints the reason without a stack, and exits with 1', async () => {
    const { code, out, err } = await project.run(command, 'minor');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^release: \.github\/CHANGELOG\.md says nothing under "Unreleased"/);
    expect(err).not.toMatch(/\n\s+at /);
  });

  nightlyTest('creates no release and no tag if the branch changes meanwhile', async () => {
    await prepare();
    const hook = `unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE GIT_PREFIX\ncd '${project.path}'\nrm .git/hooks/pre-commit\n`;
    await project.executable('.git/hooks/pre-commit', `${hook}git commit --quiet --allow-empty --message Meanwhile\n`);
    const { code, err } = await release('patch');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('the branch or the work tree changed meanwhile'),
    });
    expect(project.git('log', '-1', '--format=%s')).toBe('Meanwhile\n');
    expect(project.git('tag') + project.git('status', '--porcelain')).toBe('');
  });

  nightlyTest('an interrupt changes nothing, and leaves no temporary work tree', async () => {
    await prepare();
    const before = state();
    const [started, go] = ['started', 'go'].map((name) => join(project.path, '.git', name)) as [string, string];
    await project.executable(
      '.git/hooks/pre-commit',
      `touch '${started}'\nwhile [ -e '${started}' ] && [ ! -e '${go}' ]; do sleep 0.05; done\n`,
    );
    const running = project.start(command, 'patch');
    while (!existsSync(started)) await delay(20);
    running.kill('SIGTERM');
    await delay(100);
    await writeFile(go, '');
    expect(await running.ended).toMatchObject({
      code: 1,
      out: '',
      err: 'release: interrupted by SIGTERM: nothing was changed\n',
    });
    expect(state()).toBe(before);
  });
});

describe('the call', () => {
  const wrong: readonly (readonly [parameters: string[], says: string])[] = [
    [[], 'name major, minor or patch'],
    [['1.2.0'], 'name major, minor or patch, not 1.2.0'],
    [['minor', 'patch'], 'one of major, minor and patch, not 2'],
    [['--push', 'minor'], "Unknown option '--push'"],
  ];
  test.each(wrong)('rejects %j with the usage', async (parameters, says) => {
    const { code, out, err } = await runRelease(parameters, root);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^release: /);
    expect(err).toContain(says);
    expect(err).toContain('Usage: npm run release -- [--dry-run] major|minor|patch');
  });
  test('--help shows the usage, with every file that gets the version', async () => {
    const { code, out } = await runRelease(['--help'], root);
    expect(code).toBe(0);
    for (const file of versionedFiles) expect(out).toContain(file);
  });
  test('outside a git repository', async () => {
    const folder = await temporaryFolder();
    try {
      const { code, err } = await runRelease(['minor'], folder.path);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/^release: (this folder is no git repository|git is not installed)\n$/),
      });
    } finally {
      await folder.dispose();
    }
  });
});

describe('the files of this repository', () => {
  const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
  test.each(Object.values(changelogs))(
    '%s has the layout of the release command: a release changes only its entry',
    async (name) => {
      const text = await read(name);
      expect(parseChangelog(name, text).toString()).toBe(text);
    },
  );
  test('every file has the version of the last release, or the next version of the contract', async () => {
    const { version } = JSON.parse(await read(releaseRecord)) as { version: string };
    const allowed = [version, versionIn('spec/openapi.yaml', await read('spec/openapi.yaml'))];
    for (const file of versionedFiles)
      expect([file, allowed]).toEqual([file, expect.arrayContaining([versionIn(file, await read(file))])]);
  });
});
