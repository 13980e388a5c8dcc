/** Where .ci/generators puts the code generators, and what each one needs beside itself. */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { has } from '../../support/programs.ts';

const { GENERATORS_CACHE, XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
const cache = GENERATORS_CACHE ?? join(XDG_CACHE_HOME, 'social-data', 'generators');

/** `.ci/generators` is at work while this file is there. It stops each installation after two minutes; an older file is that of a run that was killed. */
const installing = join(cache, 'installing');
const mostMs = 150_000;
const isInstalling = (): boolean =>
  (statSync(installing, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity) > Date.now() - mostMs;
while (isInstalling()) await sleep(200);

/** The installed tools; each path may lead nowhere. */
export const tools = {
  pythonGenerator: join(cache, 'python', 'bin', 'openapi-python-client'),
  python: join(cache, 'python', 'bin', 'python'),
  goGenerator: join(cache, 'bin', 'oapi-codegen'),
  openapiGenerator: join(cache, 'openapi-generator-cli-7.17.0.jar'),
  heyApi: join(cache, 'hey-api', 'node_modules', '.bin', 'openapi-ts'),
  tsc: join(cache, 'hey-api', 'node_modules', '.bin', 'tsc'),
} as const;

/**
 * Variables of the compilers: they keep what they have compiled beside the generators. The folder of a client has another name in each run:
 * without `-trimpath` Go would compile the same client anew.
 */
export const compilers = { MYPY_CACHE_DIR: join(cache, 'mypy'), GOFLAGS: '-trimpath' } as const;

/** Whether the slow generators are run too. */
export const isAll = process.env.GENERATORS === 'all';

/** What of a test's needs is missing: files by path, programs by name. */
export const missing = (files: readonly string[], programs: readonly string[]): string[] => [
  ...files.filter((file) => !existsSync(file)),
  ...programs.filter((program) => !has(program)),
];
