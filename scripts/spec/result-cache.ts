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
const code = [
  // What npm has installed.
  existsSync(join(root, 'node_modules/.package-lock.json')) ? 'node_modules/.package-lock.json' : 'package.json',
  'scripts/spec/generate.ts',
  'scripts/spec/generate-types.ts',
  'scripts/spec/contract-document.ts',
  'scripts/spec/hoist-schemas.ts',
  'scripts/spec/files',
  'scripts/spec/lint',
  'scripts/spec/json-position.ts',
  'scripts/spec/pointer.ts',
  'scripts/spec/yaml.ts',
  'scripts/sample',
  'server/import/formats/text.ts',
  'server/import/formats/twitter-text.ts',
  'server/contract/plain-document.ts',
  'server/text/nearest-name.ts',
  'server/text/duplicate-json-names.ts',
];

/** The files of a path, which is a file or a folder, in a fixed order. */
function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => join(path, name));
}

/** The maximum number of results of a step; those are removed that were not used for the longest time. */
const maxResults = 12;

async function removeUnused(step: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${step}-`));
  if (names.length <= maxResults) return;
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  );
  files.sort((one, other) => other.at - one.at);
  await Promise.all(files.slice(maxResults).map(({ path }) => rm(path, { force: true })));
}

let codeHash: string | undefined;
function hashOfCode(): string {
  if (codeHash !== undefined) return codeHash;
  const hash = createHash('sha256').update(process.version);
  for (const file of code.flatMap(filesOf)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
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
