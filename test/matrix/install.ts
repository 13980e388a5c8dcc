/** The packages of this folder, which `npm ci` in the root does not install. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** The folder of the packages. */
export const modules = `${folder}node_modules`;

/** Installs the packages once. Ends the process when that fails. */
export function install(): void {
  if (existsSync(`${modules}/.package-lock.json`)) return;
  console.log('installing the packages of test/matrix …');
  // Not `npm ci`, which refuses a lock file without the optional packages of other platforms.
  const { status } = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status === 0) return;
  console.error('the packages of test/matrix cannot be installed');
  process.exit(1);
}
