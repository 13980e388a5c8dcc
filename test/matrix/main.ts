/**
 * `npm run test:matrix`: the packed client in apps of its users, in each runtime and with each tool that its README names.
 * `npm run test:matrix -- deno msw` runs only the checks with these words in their names. Installs the packages of this folder once,
 * which takes some minutes. `npm test` does not run it.
 */
import { messageOf } from '../../server/text/error-text.ts';
import { startServer, temporaryFolder } from '../support/server.ts';
import { MatrixApps } from './apps.ts';
import { checks } from './checks.ts';
import { install, modules } from './install.ts';

const key = 'a-key-for-the-matrix';

/** Runs the checks one after the other, and prints a line for each. Resolves with the number of failures. */
async function runChecks(words: readonly string[]): Promise<number> {
  const place = await temporaryFolder();
  const server = await startServer(`${place.path}/data`, { API_KEYS: key });
  const failures: string[] = [];
  try {
    const apps = await MatrixApps.create(place.path, modules, { BASE_URL: server.url, KEY: key });
    for (const { name, run } of checks(apps)) {
      if (words.length > 0 && !words.some((word) => name.toLowerCase().includes(word.toLowerCase()))) continue;
      const startedAt = Date.now();
      const problem = await run().then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
      if (problem !== undefined) failures.push(`${name}\n${problem}`);
      console.log(
        `${problem === undefined ? 'ok    ' : 'FAILED'}  ${name.padEnd(48)} ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
      );
    }
  } finally {
    await server.end('SIGKILL');
    await place.dispose();
  }
  for (const failure of failures) console.error(`\n${failure.slice(0, 4_000)}`);
  return failures.length;
}

install();
process.exitCode = (await runChecks(process.argv.slice(2))) === 0 ? 0 : 1;
