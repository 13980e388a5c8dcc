/** The client package as its users get it: built, packed, and installed from the tarball into a separate app. */
import { execFile } from 'node:child_process';
import { access, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { preparedFolder } from './prepared.ts';

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

/** Builds and packs the client; answers the tarball. In a run of Jest that is done once, otherwise into this folder. */
export async function packClient(into: string): Promise<string> {
  const pack = (to: string): Promise<string> =>
    runIn(join(root, 'client'), 'npm', ['pack', '--silent', '--pack-destination', to]);
  let folder = await preparedFolder('packed', pack);
  if (folder === undefined) {
    await mkdir(into, { recursive: true });
    await pack(into);
    folder = into;
  }
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  return join(folder, name!);
}

/**
 * A fresh app with the tarball installed: unpacked into its `node_modules`, as npm does, with copies of its dependency and of `ws` beside it.
 * No registry is asked.
 */
export async function installApp(folder: string, tarball: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  const client = join(packages, '@social-data/client');
  await mkdir(client, { recursive: true });
  await runIn(client, 'tar', ['-xzf', tarball, '--strip-components=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'ws'])
    await cp(join(root, 'node_modules', name), join(packages, name), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', private: true }));
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
