/**
 * `npm run test:network`: the service follows accounts of a real network of the AT Protocol. Installs the packages of this folder
 * once, which takes some minutes. `npm test` does not run it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(`${folder}node_modules/@atproto/dev-env`)) {
  console.log('installing the packages of test/network …');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('test:network: the packages cannot be installed; nothing was tested');
    process.exit(1);
  }
}
await import('./scenario.ts');
