/** Programs without the rights of root, which permissions do not bind. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from '@jest/globals';

const root = new URL('../../', import.meta.url).pathname;

/** Whom to run a program as: the user of the tests, or `nobody` where that is root. */
export const unprivileged: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Variables for such a program: what Node has compiled for one user, another user cannot read. */
export const unprivilegedEnv: Readonly<Record<string, string>> =
  unprivileged.uid === undefined || process.env.TEST_RUN_FOLDER === undefined
    ? {}
    : { NODE_COMPILE_CACHE: join(process.env.TEST_RUN_FOLDER, 'compiled') };

const canRun = spawnSync(process.execPath, ['server/main.ts', '--help'], { cwd: root, ...unprivileged }).status === 0;

/** A test that runs programs as `unprivileged`; skipped where that user cannot read the repository. */
export function testUnprivileged(name: string, body: () => Promise<void>, ms?: number): void {
  if (canRun) test(name, body, ms);
  else test.skip(`${name} (the repository cannot be read by a user without rights)`, body);
}
