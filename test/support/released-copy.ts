/** A copy of the repository as it stands right after a release, with a separate git repository. */
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changelogs } from '../../scripts/spec/release/changelog.ts';
import { releasedFiles } from '../../scripts/spec/release/released.ts';
import { writeVersions } from '../../scripts/spec/release/versions.ts';
import { yamlValue } from '../../scripts/contract-tools/files/yaml.ts';
import { compiledOf, copyRepository } from './copy.ts';
import { fastParent } from './folder.ts';

/** The environment without the settings of whoever runs the tests, and of a hook that does. */
export const gitEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GIT_|npm_|NODE_|JEST_)/i.test(name))),
  // The work trees of releases.
  TMPDIR: fastParent,
  NO_COLOR: '1',
  npm_config_update_notifier: 'false',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@test.example',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@test.example',
};
export const hasGit = spawnSync('git', ['--version']).status === 0;

/** What a program did. */
export type Outcome = { readonly code: number | null; readonly out: string; readonly err: string };

/** A running program, and its end. */
export type Running = { readonly kill: (signal: NodeJS.Signals) => void; readonly ended: Promise<Outcome> };

/** Starts a program in a copy of the repository. */
export function start(copy: string, program: string, parameters: readonly string[], env = gitEnvironment): Running {
  const options = { cwd: copy, env: { ...env, ...compiledOf(copy) } };
  const child = spawn(program, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<Outcome>((resolve, reject) => {
    const text = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (text.out += String(chunk)));
    child.stderr.on('data', (chunk) => (text.err += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
  });
  return { kill: (signal) => void child.kill(signal), ended };
}

/** Sets everything that a release sets in the copy at `path`: as if `version` were released on `date` (YYYY-MM-DD). */
export async function markReleased(path: string, version: string, date: string): Promise<void> {
  await writeVersions(path, version);
  // Waivers are for what changes after a release.
  await rm(join(path, 'spec/waivers.yaml'), { force: true });
  const yaml = await readFile(join(path, 'spec/openapi.yaml'), 'utf8');
  await mkdir(join(path, 'spec/released'), { recursive: true });
  const protocol = await readFile(join(path, 'spec/asyncapi.yaml'), 'utf8');
  for (const [file, text] of Object.entries(releasedFiles(yamlValue(yaml), version, date, yamlValue(protocol))))
    await writeFile(join(path, file), text);
  const entry = `## Unreleased\n\n## ${version} - ${date}\n\n### Added\n\n- Everything.\n`;
  for (const file of Object.values(changelogs))
    await writeFile(join(path, file), `# Changelog\n\nWhat changes.\n\n${entry}`);
  const { code, err } = await start(path, process.execPath, ['scripts/spec/generate.ts']).ended;
  if (code !== 0) throw new Error(`generate: ${err}`);
}

export type ReleasedCopy = {
  readonly path: string;
  /** Runs git in the copy; returns what it wrote. Throws where it fails. */
  git(...parameters: string[]): string;
  /**
   * Runs a script of `sh`, with `$1` and so on as given; returns what it wrote. Throws where a command fails. Each start of
   * a program from the large process of the tests takes 10 ms: from a shell it takes 1 ms.
   */
  shell(script: string, ...parameters: string[]): string;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  /** Commits all changes. */
  commit(subject: string): void;
  /** Runs one of the project's scripts with the Node that runs the tests. */
  run(script: string, ...parameters: string[]): Promise<Outcome>;
  start(script: string, ...parameters: string[]): Running;
  /** Writes an executable of `sh`, at a path from the copy's folder. */
  executable(file: string, text: string): Promise<void>;
  dispose(): Promise<void>;
};

/** Makes the copy, with version 1.0.0 released and committed on the branch main, without a tag. */
export async function releasedCopy(): Promise<ReleasedCopy> {
  const copy = await copyRepository([]);
  const { path } = copy;
  const execute = (program: string, parameters: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, parameters, {
      cwd: path,
      env: gitEnvironment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program} ${parameters.join(' ')}: ${stderr}`);
    return stdout;
  };
  const git = (...parameters: string[]): string => execute('git', parameters);
  const project: ReleasedCopy = {
    ...copy,
    git,
    shell: (script, ...parameters) => execute('sh', ['-ec', script, 'sh', ...parameters]),
    read: (file) => readFile(join(path, file), 'utf8'),
    write: (file, text) => writeFile(join(path, file), text),
    commit(subject) {
      project.shell('git add --all; git commit --quiet --message "$1"', subject);
    },
    run: (script, ...parameters) => project.start(script, ...parameters).ended,
    start: (script, ...parameters) => start(path, process.execPath, [script, ...parameters]),
    async executable(file, text) {
      await writeFile(join(path, file), `#!/bin/sh\n${text}`);
      await chmod(join(path, file), 0o755);
    },
  };
  git('init', '--quiet', '--initial-branch', 'main');
  await writeFile(join(path, '.git/info/exclude'), '/node_modules\n');
  await markReleased(path, '1.0.0', '2026-01-02');
  project.commit('Release 1.0.0');
  return project;
}
