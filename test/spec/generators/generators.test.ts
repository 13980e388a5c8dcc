/**
 * Clients that code generators make of generated/openapi.generators.json are compiled, and call the real server: a page with a count
 * beyond 32 bits, the page after it, an error, and an unlike. `.ci/generators` installs the generators; with GENERATORS=all the slow
 * ones run too. What is not installed is skipped, and the title says what is missing.
 */
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { connectControl } from '../../../server/admin/control-client.ts';
import { runProgram } from '../../support/programs.ts';
import { runsAll } from '../../support/rounds.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../../support/local-server.ts';
import { compilers, isAll, missing, tools } from './tools.ts';

const root = new URL('../../../', import.meta.url).pathname;
const document = join(root, 'generated', 'openapi.generators.json');
const program = (name: string): string => join(root, 'test/spec/generators/programs', name);
const key = 'sd_test0001_QmVhbnNUb21hdG9lc09uaW9ucw';
const views = [3_000_000_000, 2 ** 53 - 1];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
/** Each client has a liked tweet of its own, so that it is the one that removes the like. */
let liked = 100;

beforeAll(async () => {
  folder = await temporaryFolder();
  const tweet = (id: number, count: number): object => ({
    kind: 'tweet',
    tweet: {
      id: String(id),
      text: 'Counted.',
      created_at: `2026-01-01T00:00:${id}Z`,
      author_id: '1',
      view_count: count,
    },
  });
  const records = [
    { kind: 'user', user: { id: '1', username: 'counted' } },
    ...views.map((count, index) => tweet(20 - index, count)),
    ...Array.from({ length: 20 }, (_, index) => ({ kind: 'like', tweet_id: String(101 + index) })),
    ...Array.from({ length: 20 }, (_, index) => ({
      kind: 'tweet',
      tweet: { id: String(101 + index), text: 'Liked.', created_at: '2025-01-01T00:00:00Z', author_id: '2' },
    })),
  ];
  const data = join(folder.path, 'data');
  server = await startLocalServer(data, { DEMO: '0', API_KEYS: key, RATE_LIMIT: 'off', FAILED_KEYS: 'off' });
  const control = await connectControl(data);
  await control!.call('import/apply', ['generators', { values: records.length, done: true }, records]);
  control!.close();
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

/** A new folder for what one generator makes. */
async function workFolder(name: string): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(path);
  return path;
}

/** Runs a step to its end. Throws with all that it wrote when it fails. */
async function step(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = folder.path,
): Promise<string> {
  const { code, output } = await runProgram('sh', ['-c', 'cd "$0" && exec "$@"', cwd, command, ...args], '', {
    ...compilers,
    ...env,
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

/** What a client prints: one line of JSON, last. */
function expectCalls(output: string): void {
  const result: unknown = JSON.parse(output.trim().split('\n').at(-1)!);
  expect(result).toEqual({ views, more: [true, false], error: 'tweet 404 not found', unliked: true });
}
const callArguments = (): string[] => [server.url, key, String((liked += 1))];

/** A test of one generator; skipped, with what is missing in its title, where a tool is not installed. */
function generatorTest(
  name: string,
  files: readonly string[],
  programs: readonly string[],
  body: () => Promise<void>,
): void {
  const lacks = missing(files, programs);
  if (lacks.length === 0) test(name, body);
  else
    test.skip(`${name} (not installed: ${lacks.join(', ')}; .ci/generators${isAll ? ' all' : ''} installs them)`, body);
}

describe('a generated client compiles and calls the server:', () => {
  generatorTest('openapi-python-client', [tools.pythonGenerator, tools.python], [], async () => {
    const path = await workFolder('openapi-python-client');
    const generated = await step(
      tools.pythonGenerator,
      ['generate', '--path', document, '--meta', 'none', '--output-path', join(path, 'social')],
      {
        // Its own formatter is found beside it.
        PATH: `${join(tools.python, '..')}:${process.env.PATH}`,
      },
    );
    expect(generated).not.toMatch(/warning|unable|skipping/i);
    await copyFile(program('openapi-python-client.py'), join(path, 'main.py'));
    // client.py comes from the generator whatever the contract says, and mypy does not like its context managers.
    await writeFile(
      join(path, 'mypy.ini'),
      '[mypy]\nstrict_optional = True\n[mypy-social.client]\nignore_errors = True\n',
    );
    if (runsAll) await step(tools.python, ['-m', 'mypy', 'main.py'], {}, path);
    expectCalls(await step(tools.python, ['main.py', ...callArguments()], {}, path));
  });

  generatorTest('oapi-codegen', [tools.goGenerator], ['go'], async () => {
    const path = await workFolder('oapi-codegen');
    await mkdir(join(path, 'social'));
    await step(tools.goGenerator, [
      '-generate',
      'types,client',
      '-package',
      'social',
      '-o',
      join(path, 'social', 'client.go'),
      document,
    ]);
    await copyFile(program('oapi-codegen.go'), join(path, 'main.go'));
    for (const name of ['go.mod', 'go.sum']) await copyFile(program(`oapi-codegen.${name}`), join(path, name));
    if (runsAll) await step('go', ['vet', './...'], {}, path);
    expectCalls(await step('go', ['run', '.', ...callArguments()], {}, path));
  });

  // The nightly run: the test before compiles the same operations.
  const wholeTest = runsAll ? generatorTest : () => {};
  wholeTest('oapi-codegen, of the whole contract with the messages of /ws', [tools.goGenerator], ['go'], async () => {
    const path = await workFolder('oapi-codegen-all');
    const whole = join(root, 'generated', 'openapi.json');
    const config = {
      package: 'social',
      output: 'client.go',
      generate: { models: true, client: true },
      'output-options': { 'skip-prune': true },
    };
    await writeFile(join(path, 'config.json'), JSON.stringify(config));
    await step(tools.goGenerator, ['-config', 'config.json', whole], {}, path);
    for (const name of ['go.mod', 'go.sum']) await copyFile(program(`oapi-codegen.${name}`), join(path, name));
    await step('go', ['vet', './...'], {}, path);
  });
});

/** Generates with openapi-generator; the folder of the client. */
async function openapiGenerator(language: string, properties: readonly string[] = []): Promise<string> {
  const path = await workFolder(`openapi-generator-${language}`);
  const given = properties.length === 0 ? [] : [`--additional-properties=${properties.join(',')}`];
  await step('java', [
    '-jar',
    tools.openapiGenerator,
    'generate',
    '-g',
    language,
    '-i',
    document,
    '-o',
    join(path, 'client'),
    ...given,
  ]);
  return path;
}

/** Bundles a program in TypeScript, as apps do, and runs it. */
async function runBundled(path: string): Promise<string> {
  const outfile = join(path, 'main.mjs');
  await build({
    entryPoints: [join(path, 'main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  return step(process.execPath, [outfile, ...callArguments()]);
}

const typeCheck = [
  '--noEmit',
  '--strict',
  '--target',
  'es2022',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--types',
  'node',
  '--skipLibCheck',
  'false',
];

(isAll ? describe : describe.skip)(
  'with GENERATORS=all, a client of the slow generators compiles, and calls the server:',
  () => {
    const jar = tools.openapiGenerator;

    generatorTest('openapi-generator, python', [jar], ['java', 'python3'], async () => {
      const path = await openapiGenerator('python');
      const python = join(path, 'venv', 'bin', 'python');
      await step('python3', ['-m', 'venv', join(path, 'venv')]);
      await step(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', join(path, 'client')]);
      await step(python, ['-m', 'compileall', '-q', join(path, 'client', 'openapi_client')]);
      expectCalls(await step(python, [program('openapi-generator-python.py'), ...callArguments()]));
    });

    generatorTest('openapi-generator, go', [jar], ['java', 'go'], async () => {
      const path = await openapiGenerator('go', ['withGoMod=false', 'isGoSubmodule=true', 'packageName=openapi']);
      await copyFile(program('openapi-generator-go.go'), join(path, 'main.go'));
      await writeFile(join(path, 'go.mod'), 'module example.org/generated\n\ngo 1.24\n');
      await cp(join(path, 'client'), join(path, 'openapi'), {
        recursive: true,
        filter: (from) => !/\/(test|docs)$/.test(from),
      });
      await step('rm', ['-r', join(path, 'client')]);
      await step('go', ['vet', './...'], {}, path);
      expectCalls(await step('go', ['run', '.', ...callArguments()], {}, path));
    });

    generatorTest('openapi-generator, java', [jar], ['java', 'mvn'], async () => {
      const path = join(await openapiGenerator('java'), 'client');
      await copyFile(program('openapi-generator-java.java'), join(path, 'src', 'main', 'java', 'Main.java'));
      await step(
        'mvn',
        ['-q', '-B', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'],
        {},
        path,
      );
      const run = 'exec java -cp "target/classes:$(cat classpath.txt)" Main "$@"';
      expectCalls(await step('sh', ['-c', run, 'main', ...callArguments()], {}, path));
    });

    generatorTest('openapi-generator, typescript-fetch', [jar, tools.tsc], ['java'], async () => {
      const path = await openapiGenerator('typescript-fetch');
      await copyFile(program('openapi-generator-typescript-fetch.ts.txt'), join(path, 'main.ts'));
      await step(tools.tsc, [...typeCheck, '--typeRoots', join(root, 'node_modules', '@types'), 'main.ts'], {}, path);
      expectCalls(await runBundled(path));
    });

    generatorTest('openapi-generator, rust', [jar], ['java', 'cargo'], async () => {
      const path = await openapiGenerator('rust', ['packageName=openapi']);
      await mkdir(join(path, 'src'));
      await copyFile(program('openapi-generator-rust.rs'), join(path, 'src', 'main.rs'));
      await copyFile(program('openapi-generator-rust.Cargo.toml'), join(path, 'Cargo.toml'));
      expectCalls(await step('cargo', ['run', '-q', '--', ...callArguments()], {}, path));
    });

    generatorTest('hey-api', [tools.heyApi, tools.tsc], [], async () => {
      const path = await workFolder('hey-api');
      await step(tools.heyApi, ['-i', document, '-o', join(path, 'client')]);
      await copyFile(program('hey-api.ts.txt'), join(path, 'main.ts'));
      const lib = ['--lib', 'es2022,dom,dom.iterable'];
      await step(
        tools.tsc,
        [...typeCheck, ...lib, '--typeRoots', join(root, 'node_modules', '@types'), 'main.ts'],
        {},
        path,
      );
      expectCalls(await runBundled(path));
    });
  },
);
