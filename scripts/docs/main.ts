/** `npm run docs:export -- DIR`: writes the documentation as files, which any web server can serve from any folder. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { codeOf, messageOf } from '../../server/text/error-text.ts';
import { documentation, type Origin } from './documentation.ts';
import { filesOf } from './static-files.ts';

const usage = `Usage: npm run docs:export -- DIR [--origin URL]

Writes the documentation into DIR: the API reference, the guides, each of them also as Markdown, llms.txt, and the contracts. All links
are relative: any web server can serve DIR, also from a folder below its root. No service is needed, for the export or for the pages. What
only a running service can do (trying operations and queries) is left out.

  --origin URL  the service in the samples, such as https://api.example.com; by default http://127.0.0.1:3000
  --help        shows this

DIR must not exist, be empty, or have an earlier export, which is replaced.

Exit code: 0 when all files were written, 2 for a wrong call or a failure.`;

/** An error for the user. */
class UsageError extends Error {}

/** Reads the option --origin. Throws a UsageError. */
function originOf(text: string | undefined): Origin {
  if (text === undefined) return { secure: false, host: undefined };
  const url = URL.parse(text);
  const isOrigin =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '';
  if (!isOrigin || url.username !== '')
    throw new UsageError('--origin must be http:// or https:// with a host, and no path');
  return { secure: url.protocol === 'https:', host: url.host };
}

/** Throws a UsageError where the folder has anything but an earlier export. */
async function checkFolder(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: unknown): string[] => {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') throw new UsageError(`${folder} is a file: name a folder`);
    throw error;
  });
  if (present.length === 0) return;
  const earlier = await readFile(join(folder, 'llms.txt'), 'utf8').catch(() => '');
  if (!earlier.includes('](docs/index.md)') || !present.includes('docs'))
    throw new UsageError(`${folder} is not empty: name a folder that is, does not exist, or has an earlier export`);
}

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { origin: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return console.log(usage);
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new UsageError(`name one folder\n\n${usage}`);
  const origin = originOf(values.origin);
  await checkFolder(folder);
  const files = filesOf(await documentation(origin));
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  console.log(`wrote ${files.size} files into ${folder}; it begins with ${join(folder, 'index.html')}`);
}

if (import.meta.main) {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    console.error(`docs:export: ${messageOf(error)}`);
    process.exitCode = 2;
  }
}
