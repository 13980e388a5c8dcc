/** The client package as its users get it: built, packed, and installed from the tarball into an app of its own. */
import { execFile } from 'node:child_process';
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export const root = new URL('../../', import.meta.url).pathname;
const run = promisify(execFile);

/** Runs a program in a folder; answers its standard output, and rejects with all that it said when it fails. */
export async function runIn(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  try {
    return (await run(program, args, { cwd, env: { ...process.env, ...env } })).stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout}${stderr}`);
  }
}

/** Runs a program of a development dependency. */
export const runTool = (cwd: string, tool: string, ...args: string[]): Promise<string> =>
  runIn(cwd, process.execPath, [join(root, 'node_modules', tool), ...args]);

/** Packs a package into a folder; answers the tarball. */
async function pack(folder: string, into: string): Promise<string> {
  await mkdir(into, { recursive: true });
  await runIn(folder, 'npm', ['pack', '--silent', '--pack-destination', into]);
  return join(into, (await readdir(into))[0]!);
}

/** Builds and packs the client into a folder; answers the tarball. */
export const packClient = (into: string): Promise<string> => pack(join(root, 'client'), join(into, 'client'));

/** A fresh app with the tarball, and `ws`, installed. What is needed is packed from here, so that no registry is asked. */
export async function installApp(folder: string, tarball: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const needed = await Promise.all(
    ['openapi-fetch', 'openapi-typescript-helpers', 'ws'].map((name) =>
      pack(join(root, 'node_modules', name), join(folder, 'tarballs', name)),
    ),
  );
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', private: true }));
  await runIn(folder, 'npm', [
    'install',
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
    tarball,
    ...needed,
  ]);
}

/** A Node of this major version on the machine, or undefined. */
export async function findNode(major: number): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    const version = await access(node).then(
      () => runIn('/', node, ['--version']),
      () => '',
    );
    if (version.startsWith(`v${major}.`)) return node;
  }
  return undefined;
}
