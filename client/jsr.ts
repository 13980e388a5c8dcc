/**
 * Derives the package for JSR from the built one: `node client/jsr.ts FOLDER` writes `jsr.json`, the ES modules and their types into
 * an empty folder, from which `deno publish` publishes.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly default: string } }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The content of `jsr.json`. JSR refuses ranges without an end, so it names the tested versions of peer dependencies. */
function settingsOf(
  { name, version, license, exports, dependencies, peerDependencies }: Manifest,
  tested: Readonly<Record<string, string>>,
): object {
  const entries = Object.entries(exports).flatMap(([entry, file]) =>
    typeof file === 'string' ? [] : [[entry, `./${basename(file.import.default)}`]],
  );
  const peers = Object.keys(peerDependencies).map((peer) => [peer, `npm:${peer}@^${tested[peer]}`]);
  const own = Object.entries(dependencies).map(([other, range]) => [other, `npm:${other}@${range}`]);
  const imports = [...own, ...peers];
  return { name, version, license, exports: Object.fromEntries(entries), imports: Object.fromEntries(imports) };
}

/** Writes the package for JSR into a folder, from the folder of the built package. */
async function writeJsrPackage(from: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const manifest = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as Manifest;
  const repository = JSON.parse(await readFile(join(from, '../package.json'), 'utf8')) as Pick<
    Manifest,
    'dependencies'
  > & { readonly devDependencies: Manifest['dependencies'] };
  const tested = { ...repository.dependencies, ...repository.devDependencies };
  await writeFile(join(into, 'jsr.json'), `${JSON.stringify(settingsOf(manifest, tested), null, 2)}\n`);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) await cp(join(from, name), join(into, name));
  const files = (await readdir(join(from, 'dist'))).filter((file) => /\.(?:d\.ts|js)$/.test(file) && file !== 'cli.js');
  for (const file of files) {
    const text = await readFile(join(from, 'dist', file), 'utf8');
    const types = file.replace(/\.js$/, '.d.ts');
    // Deno finds the types of a module by a comment, and those of another module by the name of its file.
    const adapted = file.endsWith('.d.ts')
      ? text.replace(/((?:from|import) '\.\/\w+)\.js'/g, "$1.d.ts'")
      : files.includes(types)
        ? `// @ts-self-types="./${types}"\n${text}`
        : text;
    await writeFile(join(into, file), adapted.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
  }
}

const [into] = process.argv.slice(2);
if (into === undefined) {
  console.error('Usage: node client/jsr.ts FOLDER');
  process.exitCode = 2;
} else await writeJsrPackage(import.meta.dirname, into);
