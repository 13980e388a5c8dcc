/** Fresh apps with the packed client, and with packages of this folder. */
import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installApp, packClient, root } from '../support/packed.ts';

/** The limit of one program, in milliseconds. */
const timeout = 180_000;

/** One app. */
export class MatrixApp {
  readonly folder: string;
  readonly #modules: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string, modules: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.#modules = modules;
    this.#env = env;
  }

  /** Makes packages of this folder known in the app; `name=other` under another name. */
  async link(...names: readonly string[]): Promise<this> {
    for (const given of names) {
      const [name = '', target = name] = given.split('=');
      const path = join(this.folder, 'node_modules', name);
      await rm(path, { recursive: true, force: true });
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(this.#modules, target), path);
    }
    return this;
  }

  async write(files: Readonly<Record<string, string>>): Promise<this> {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    return this;
  }

  /** Runs a program of this folder, such as `node20/bin/node`. Resolves with its output; rejects when it fails or takes too long. */
  async run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const file = program.startsWith('/') ? program : join(this.#modules, program);
    try {
      const { stdout } = await promisify(execFile)(file, args, {
        cwd: this.folder,
        env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...this.#env, ...env },
        timeout,
        maxBuffer: 64e6,
      });
      return stdout;
    } catch (error) {
      const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
      throw new Error(`${message}\n${stdout}${stderr}`);
    }
  }

  /** Runs a JavaScript program of this folder with the current Node. */
  script(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.run(process.execPath, [join(this.#modules, program), ...args], env);
  }

  /** Runs a program of the repository's development dependencies. */
  tool(program: string, args: readonly string[]): Promise<string> {
    return this.run(process.execPath, [join(root, 'node_modules', program), ...args]);
  }
}

/** Creates the apps. */
export class MatrixApps {
  readonly tarball: string;
  /** The address of the service, and a key. */
  readonly env: Readonly<Record<string, string>>;
  readonly #place: string;
  readonly #modules: string;
  #count = 0;

  private constructor(place: string, modules: string, env: Readonly<Record<string, string>>, tarball: string) {
    this.#place = place;
    this.#modules = modules;
    this.env = env;
    this.tarball = tarball;
  }

  static async create(place: string, modules: string, env: Readonly<Record<string, string>>): Promise<MatrixApps> {
    return new MatrixApps(place, modules, env, await packClient(`${place}/packed`));
  }

  /** A new app with the packed client and `openapi-fetch`. Node 20 also needs `ws`. */
  async app(): Promise<MatrixApp> {
    const folder = join(this.#place, `app${++this.#count}`);
    await installApp(folder, this.tarball);
    return new MatrixApp(folder, this.#modules, this.env);
  }
}
