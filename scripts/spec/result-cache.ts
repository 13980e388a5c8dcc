/**
 * Results of slow steps of the generator and of the lint, in a cache by the hash of all inputs: the inputs of the step, the code of the
 * generator, the installed packages and the version of Node. The cache only saves time; it can be deleted at any moment.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = new URL('../../', import.meta.url).pathname;
const folder = join(root, 'node_modules/.cache/generate');
/** The code that the cached steps run, and the versions of the packages that they use. */
export const codeOfSteps: readonly string[] = [
  // What npm has installed.
  existsSync(join(root, 'node_modules/.package-lock.json')) ? 'node_modules/.package-lock.json' : 'package.json',
  'scripts/spec/generate.ts',
  'scripts/spec/generate-types.ts',
  'scripts/spec/generate-validators.ts',
  'scripts/spec/generate-client.ts',
  'scripts/spec/client-operation.ts',
  'scripts/spec/client-call.ts',
  'scripts/spec/generate-mocks.ts',
  'scripts/spec/client-channels.ts',
  'scripts/spec/client-parameters.ts',
  'client/src/method-name.ts',
  'scripts/spec/contract-document.ts',
  'scripts/spec/conventions.ts',
  'scripts/spec/hoist-schemas.ts',
  'scripts/spec/type-document.ts',
  'scripts/contract-tools/files',
  'scripts/spec/lint',
  'scripts/contract-tools/day.ts',
  'scripts/spec/spec-error.ts',
  'scripts/sample',
  'server/contract/item-columns.ts',
  'server/formats/text.ts',
  'server/formats/twitter-text.ts',
  'server/collections/lazy.ts',
  ...[
    'checked-contract',
    'date-time',
    'deprecation',
    'direction',
    'error-form',
    'frame-headers',
    'media-type',
    'openapi',
  ].map((name) => `server/contract/${name}.ts`),
  ...['operation-table', 'parameter-value', 'schema-compiler', 'statuses'].map((name) => `server/contract/${name}.ts`),
  'server/authenticators.ts',
  'server/contract/method-name.ts',
  'server/http/unsupported-parts.ts',
  'server/http/security.ts',
  'server/contract/security-schemes.ts',
  'server/contract/values.ts',
  'server/contract/requirement.ts',
  'server/contract/schema-limits.ts',
  'server/contract/path-template.ts',
  'server/contract/plain-document.ts',
  'server/text/error-text.ts',
  'server/text/iso-time.ts',
  'server/text/nearest-name.ts',
  'server/text/object.ts',
  'server/text/duplicate-json-names.ts',
];

/** The files of a path, which is a file or a folder, in a fixed order. */
function filesOf(path: string): string[] {
  // A project may lack parts of this one, such as the sample.
  if (!existsSync(join(root, path))) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|yaml)$/.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

/**
 * The maximum number of results of a step, and of their bytes; those are removed that were not used for the longest time. A run of the tests
 * has a hundred specs, and finds the results of the run before.
 */
const maxResults = 200;
const maxBytes = 20_000_000;

async function removeUnused(step: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${step}-`));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs, size } = await stat(path);
      return { path, mtimeMs, size };
    }),
  );
  files.sort((one, other) => other.mtimeMs - one.mtimeMs);
  let bytes = 0;
  const unused = files.filter(({ size }, place) => (bytes += size) > maxBytes || place >= maxResults);
  await Promise.all(unused.map(({ path }) => rm(path, { force: true })));
}

let codeHash: string | undefined;
function hashOfCode(): string {
  if (codeHash !== undefined) return codeHash;
  const hash = createHash('sha256').update(process.version);
  for (const file of codeOfSteps.flatMap(filesOf)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return (codeHash = hash.digest('hex'));
}

/**
 * The result of a step. `inputs` holds everything, apart from the code, that the result depends on; JSON must be able to
 * represent it. Runs the step where the cache has no result, and stores the result. A folder that cannot be written is
 * no error.
 */
export async function cachedStep(step: string, inputs: unknown, run: () => string | Promise<string>): Promise<string> {
  const key = createHash('sha256')
    .update(JSON.stringify([step, hashOfCode(), inputs]))
    .digest('hex');
  const file = join(folder, `${step}-${key.slice(0, 40)}`);
  const cached = await readFile(file, 'utf8').catch(() => undefined);
  if (cached !== undefined) {
    const now = new Date();
    await utimes(file, now, now).catch(() => {});
    return cached;
  }
  const result = await run();
  const temporary = `${file}.${process.pid}`;
  await mkdir(folder, { recursive: true })
    .then(() => writeFile(temporary, result))
    // Readers find a whole file or none.
    .then(() => rename(temporary, file))
    .then(() => removeUnused(step))
    .catch(() => {});
  return result;
}
