/**
 * Data directories with the bundled sample, as the first start of a service leaves them. To fill an archive takes more than a second of
 * CPU time, so that is done once in a run of all tests, and each test that needs the sample gets a copy.
 */
import { cp, mkdir, readdir } from 'node:fs/promises';
import { preparedFolder } from './prepared.ts';

/** Variables with which a start does not fill a new data directory, or with which a test has the filling as its subject. */
const others = ['DEMO', 'FOLLOW', 'DATABASE_URL'] as const;

/** Starts the service on a data directory. */
type Start = (dataDir: string, env: Record<string, string>) => Promise<{ end(): Promise<unknown> }>;

/**
 * Copies the sample into a data directory that is new, where a start with these variables and options would fill it. A test of the
 * filling itself sets DEMO=1.
 */
export async function copySample(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  start: Start,
): Promise<void> {
  const isOther = others.some((name) => (env[name] ?? process.env[name]) !== undefined);
  // A clock that a test has moved would be in the data of others.
  if (isOther || args.some((arg) => arg.startsWith('--follow')) || 'isFake' in Date) return;
  if ((await readdir(dataDir).catch(() => [])).length > 0) return;
  const filled = await preparedFolder('sample', async (path) => {
    // With API_KEYS this start creates no key: that is left to the start on the copy.
    const server = await start(path, { DEMO: '1', API_KEYS: 'a-key-for-the-sample' });
    await server.end();
  });
  if (filled === undefined) return;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await cp(filled, dataDir, { recursive: true });
}
