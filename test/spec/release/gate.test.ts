/** The contract gate of continuous integration, run as `.ci/run` runs it, on a copy of the repository with a history. */
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { runDiff } from '../../../scripts/spec/diff/main.ts';
import { yamlValue } from '../../../scripts/contract-tools/files/yaml.ts';
import {
  checkReleased,
  releasedContract,
  releasedFiles,
  releasedFolder,
  releaseRecord,
} from '../../../scripts/spec/release/released.ts';
import { inTurn } from '../../support/rounds.ts';
import {
  gitEnvironment,
  hasGit,
  releasedCopy,
  start,
  type Outcome,
  type ReleasedCopy,
} from '../../support/released-copy.ts';
import { nightlyTest } from '../../support/nightly.ts';

const root = new URL('../../../', import.meta.url).pathname;
const hasBash = spawnSync('bash', ['--version']).status === 0;

nightlyTest('the released contract of this repository equals the output of the release command', async () => {
  expect((await checkReleased(root)).faults).toEqual([]);
});

/** The contract without a member of every Space that the server answers. */
function withoutMember(yaml: string): string {
  const document = parseDocument(yaml);
  const required = document.toJS().components.schemas.Space.required as string[];
  document.setIn(
    ['components', 'schemas', 'Space', 'required'],
    required.filter((name) => name !== 'title'),
  );
  document.deleteIn(['components', 'schemas', 'Space', 'properties', 'title']);
  return String(document);
}

(hasGit && hasBash ? describe : describe.skip)('.ci/run (needs git and bash)', () => {
  let project: ReleasedCopy;
  /** The first commit of the copy: everything is as the release left it. */
  let released: string;
  beforeAll(async () => {
    project = await releasedCopy();
    // Installing the code generators is no part of the gate.
    await project.executable('.ci/generators', 'exit 0\n');
    project.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    released = project.git('rev-parse', 'HEAD').trim();
  });
  afterAll(() => project?.dispose());
  beforeEach(() => void project.git('reset', '--quiet', '--hard', released));

  /** Runs `.ci/run` of the copy; only the installation and the tests are replaced, by programs that succeed at once. */
  async function ci(...parameters: string[]): Promise<Outcome> {
    const programs = '.git/programs';
    await mkdir(join(project.path, programs), { recursive: true });
    const real = `PATH=${JSON.stringify(process.env.PATH)} exec npm "$@"`;
    const passes = (count: number): string => `echo 'Tests:       ${count} passed, ${count} total'`;
    const replaced = `case $* in\nci) ;;\ntest) ${passes(3)} ;;\n'run test:nightly') ${passes(4)} ;;\n*) ${real} ;;\nesac\n`;
    await project.executable(`${programs}/npm`, replaced);
    await project.executable(`${programs}/apt-get`, 'exit 1\n');
    const PATH = `${join(project.path, programs)}:${process.env.PATH}`;
    const env = { ...gitEnvironment, PATH, CI: 'false' };
    return start(project.path, 'bash', ['.ci/run', ...parameters], env).ended;
  }
  const lastLine = ({ out }: Outcome): string | undefined => out.trimEnd().split('\n').at(-1);

  test('passes after a release', async () => {
    const outcome = await ci();
    expect(lastLine(outcome)).toBe('3 passed, 0 failed');
    expect(outcome.code).toBe(0);
  });

  test('fails after a commit that removes a member of a response, with a subject that is too long', async () => {
    await project.write('spec/openapi.yaml', withoutMember(await project.read('spec/openapi.yaml')));
    project.commit(`${'w'.repeat(72)}s`);
    const outcome = await ci();
    expect(outcome.out).toContain('has 73 characters, at most 72 are permitted: www');
    expect(outcome.out).toContain(`${releasedContract} → spec/openapi.yaml`);
    expect(outcome.out).toContain('Breaking\n  property-removed  Space › title\n');
    expect(outcome.out).toContain(
      'info.version stayed at 1.0.0, but the differences demand a major version: at least 2.0.0.',
    );
    expect(lastLine(outcome)).toBe('3 passed, 2 failed');
    expect(outcome.code).toBe(1);
  });

  nightlyTest('fails after a commit with a subject that is too long', async () => {
    project.git('commit', '--quiet', '--allow-empty', '--message', `${'w'.repeat(72)}s`);
    const outcome = await ci();
    expect(outcome.out).toContain('has 73 characters, at most 72 are permitted: www');
    expect(lastLine(outcome)).toBe('3 passed, 1 failed');
    expect(outcome.code).toBe(1);
  });

  nightlyTest(
    'passes with the version that the removal requires, and runs the tests that it is started for',
    async () => {
      const yaml = withoutMember(await project.read('spec/openapi.yaml')).replace(
        /^  version: 1\.0\.0$/m,
        '  version: 2.0.0',
      );
      await project.write('spec/openapi.yaml', yaml);
      project.commit('Spaces have no title');
      const outcome = await ci('test:nightly');
      expect(lastLine(outcome)).toBe('4 passed, 0 failed');
      expect(outcome.code).toBe(0);
    },
  );

  const contract = async (): Promise<string> => withoutMember(await project.read('spec/openapi.yaml'));
  const writeReleased = async (version: string, yaml: string, date = '2026-01-02'): Promise<void> => {
    const files = releasedFiles(yamlValue(yaml), version, date, yamlValue(await project.read('spec/asyncapi.yaml')));
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
  };
  const edits: readonly (readonly [what: string, edit: () => Promise<void>, says: string])[] = [
    [
      'an edit of the released contract',
      async () =>
        project.write(
          releasedContract,
          (await project.read(releasedContract)).replace('"title": "Social Data"', '"title": "Data"'),
        ),
      `${releasedContract} is not what the release of 1.0.0 wrote: ${releaseRecord} has another SHA-256`,
    ],
    [
      'an edit of the released protocol',
      async () => {
        const file = `${releasedFolder}/asyncapi.json`;
        await project.write(file, (await project.read(file)).replace('"value": 65536', '"value": 1024'));
      },
      `${releasedFolder}/asyncapi.json is not what the release of 1.0.0 wrote: ${releaseRecord} has another SHA-256`,
    ],
    [
      'an edit of the released contract and of its digest',
      async () => writeReleased('1.0.0', await contract()),
      `${releasedContract} is not what the release of 1.0.0 wrote (commit `,
    ],
    [
      'an edit of the date of the release, in the record and in the changelog',
      async () => {
        await writeReleased('1.0.0', await project.read('spec/openapi.yaml'), '2026-01-03');
        const changelog = await project.read('.github/CHANGELOG.md');
        await project.write('.github/CHANGELOG.md', changelog.replace('2026-01-02', '2026-01-03'));
      },
      `${releaseRecord} is not what the release of 1.0.0 wrote (commit `,
    ],
    [
      'a version that no release made',
      async () => {
        const yaml = (await contract()).replace(/^  version: 1\.0\.0$/m, '  version: 1.1.0');
        await writeReleased('1.1.0', yaml);
        await project.write('spec/openapi.yaml', yaml);
        const changelog = await project.read('.github/CHANGELOG.md');
        await project.write('.github/CHANGELOG.md', changelog.replace('## 1.0.0', '## 1.1.0 - 2026-01-02\n\n## 1.0.0'));
        for (const file of ['package.json', 'package-lock.json', 'client/package.json', 'spec/asyncapi.yaml'])
          await project.write(file, (await project.read(file)).replace('1.0.0', '1.1.0'));
      },
      'changed spec/released, but is no release of 1.1.0:',
    ],
    [
      'a lower version than the last release',
      async () => {
        await writeReleased('0.9.0', (await contract()).replace(/^  version: 1\.0\.0$/m, '  version: 0.9.0'));
        const changelog = await project.read('.github/CHANGELOG.md');
        await project.write('.github/CHANGELOG.md', `${changelog}\n## 0.9.0 - 2026-01-02\n`);
      },
      `${releasedFolder} is that of 0.9.0, but commit `,
    ],
    [
      'a changelog without the release',
      async () => project.write('.github/CHANGELOG.md', '# Changelog\n\n## Unreleased\n'),
      ".github/CHANGELOG.md has no entry '## 1.0.0 - 2026-01-02'",
    ],
    [
      'a record that is none',
      async () => project.write(releaseRecord, '[]\n'),
      `${releaseRecord} does not name a version`,
    ],
  ];
  nightlyTest.each(inTurn(edits, 4))('fails after %s, before and after the commit', async (_, edit, says) => {
    await edit();
    for (const when of ['before', 'after']) {
      if (when === 'after') project.commit('An edit by hand');
      const outcome = await runDiff([], project.path);
      expect({ when, err: outcome.err }).toEqual({ when, err: expect.stringContaining(says) });
      expect(outcome).toMatchObject({ code: 1, out: '' });
    }
  });

  nightlyTest('fails when the released contract is removed, and when it is restored with other content', async () => {
    project.git('rm', '--quiet', '-r', releasedFolder);
    project.git('commit', '--quiet', '--message', 'No released contract');
    expect(await runDiff([], project.path)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`there is no ${releasedContract}`),
    });
    await mkdir(join(project.path, releasedFolder));
    await writeReleased('1.0.0', await contract());
    project.commit('Another released contract');
    expect(await ci()).toMatchObject({
      code: 1,
      err: expect.stringContaining(`wrote (commit ${released.slice(0, 10)})`),
    });
  });

  nightlyTest('passes again when an edit by hand is reverted, and after a merge', async () => {
    project.git('checkout', '--quiet', '-B', 'other');
    await writeReleased('1.0.0', await contract());
    project.commit('An edit by hand');
    project.git('revert', '--no-edit', 'HEAD');
    expect(await checkReleased(project.path)).toEqual({ faults: [] });
    project.git('checkout', '--quiet', 'main');
    project.git('merge', '--quiet', '--no-ff', '--no-edit', 'other');
    expect(await checkReleased(project.path)).toEqual({ faults: [] });
  });

  nightlyTest('without a git history, checks the digest and prints a note', async () => {
    const clone = join(project.path, '.git/clone');
    project.git('clone', '--quiet', '--depth', '1', `file://${project.path}`, clone);
    expect(await checkReleased(clone)).toEqual({ faults: [], note: expect.stringContaining('The clone is shallow') });
  });
});
