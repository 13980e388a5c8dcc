/** The checks: one for each runtime, tool and version. Each rejects with what is wrong. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { strictEqual } from 'node:assert';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { preview, build as viteBuild } from 'vite';
import { root } from '../support/packed.ts';
import type { MatrixApp, MatrixApps } from './apps.ts';
import {
  body,
  cjs,
  esm,
  expected,
  expectedOfReact,
  jestPlain,
  jestTest,
  names,
  next,
  reactPage,
  reactTypes,
  types,
  vitestTest,
  worker,
  workerd,
} from './programs.ts';

export interface Check {
  readonly name: string;
  run(): Promise<void>;
}

const nodes = ['20', '22', '24'];
const compilers = ['54', '55', '56', '57', '58', '59', '6', '7'];
const resolutions = {
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
};

const same = (printed: string): void => strictEqual(printed.trim(), expected);

/** The programs of an app, as an ES module and as CommonJS. */
const withPrograms = async (apps: MatrixApps): Promise<MatrixApp> =>
  (await apps.app()).write({ 'app.mjs': esm, 'app.cjs': cjs });

function runtimes(apps: MatrixApps): Check[] {
  const onNode = nodes.flatMap((version) =>
    ['app.mjs', 'app.cjs'].map((file) => ({
      name: `Node ${version}, ${file === 'app.mjs' ? 'ES module' : 'CommonJS'}`,
      run: async () => same(await (await withPrograms(apps)).run(`node${version}/bin/node`, [file])),
    })),
  );
  return [
    ...onNode,
    {
      name: 'Bun',
      run: async () => same(await (await withPrograms(apps)).run('.bin/bun', ['app.mjs'])),
    },
    {
      name: 'Deno',
      run: async () =>
        same(await (await withPrograms(apps)).run('.bin/deno', ['run', '-A', '--node-modules-dir=manual', 'app.mjs'])),
    },
    { name: 'workerd', run: () => inWorkerd(apps) },
  ];
}

/** A Worker that esbuild bundled into one file. */
async function inWorkerd(apps: MatrixApps): Promise<void> {
  const app = await (await apps.app()).link('miniflare');
  await app.write({ 'worker.mjs': worker, 'main.mjs': workerd });
  await build({
    absWorkingDir: app.folder,
    entryPoints: ['worker.mjs'],
    outfile: join(app.folder, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  });
  same(await app.run(process.execPath, ['main.mjs']));
}

/** The packages of an app with React: the oldest versions that the client supports, or the newest ones. */
const withReact = {
  oldest: [
    'react=react18',
    'react-dom=react-dom18',
    'scheduler=scheduler18',
    '@types/react=types-react18',
    '@types/prop-types',
    'csstype',
    '@tanstack/react-query=react-query-oldest',
    '@tanstack/query-core=query-core-oldest',
  ],
  newest: [
    'react',
    'react-dom',
    'scheduler',
    '@types/react',
    'csstype',
    '@tanstack/react-query=react-query-newest',
    '@tanstack/query-core=query-core-newest',
  ],
};
type Age = keyof typeof withReact;
const ages = Object.keys(withReact) as Age[];

/** Compiles an app with all entries but the mocks, whose types need a library. */
async function compileWith(
  apps: MatrixApps,
  version: string,
  resolution: keyof typeof resolutions,
  age: Age,
): Promise<void> {
  const app = await (await apps.app()).link(...withReact[age]);
  const compilerOptions = {
    ...resolutions[resolution],
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    // The packages of the app are links.
    preserveSymlinks: true,
    noEmit: true,
    types: [],
  };
  await app.write({
    'app.mts': types,
    'hooks.mts': reactTypes,
    ...(resolution === 'bundler' ? {} : { 'app.cts': types, 'hooks.cts': reactTypes }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }),
  });
  await app.script(`ts${version}/bin/tsc`, ['-p', '.']);
}

function compile(apps: MatrixApps): Check[] {
  const names = Object.keys(resolutions) as (keyof typeof resolutions)[];
  return [
    ...compilers.flatMap((version) =>
      names.map((name) => ({
        name: `TypeScript ${version.replace(/^5/, '5.')}, ${name}`,
        run: () => compileWith(apps, version, name, 'newest'),
      })),
    ),
    ...names.map((name) => ({
      name: `TypeScript 5.9, ${name}, React 18 and the oldest TanStack Query`,
      run: () => compileWith(apps, '59', name, 'oldest'),
    })),
  ];
}

function tests(apps: MatrixApps): Check[] {
  return [
    {
      name: 'Jest, default preset',
      async run() {
        const app = await (await apps.app()).write({ 'app.test.js': jestPlain });
        await app.script('jest/bin/jest.js', ['--rootDir', app.folder]);
      },
    },
    ...['msw2', 'msw3'].flatMap((msw) => [
      {
        name: `${msw}, Vitest`,
        async run() {
          const app = await (await apps.app()).link(`msw=${msw}`, 'vitest');
          await app.write({ 'app.test.mjs': vitestTest });
          await app.script('vitest/vitest.mjs', ['run']);
        },
      },
      {
        name: `${msw}, Jest`,
        async run() {
          const app = await (await apps.app()).link(`msw=${msw}`);
          await app.write({ 'app.test.js': jestTest });
          const env = { NODE_OPTIONS: '--experimental-vm-modules' };
          await app.script('jest/bin/jest.js', ['--rootDir', app.folder], env);
        },
      },
    ]),
  ];
}

/** The package for JSR, as `deno publish` checks it. */
async function toJsr(apps: MatrixApps): Promise<void> {
  const app = await apps.app();
  await app.run(process.execPath, [join(root, 'client/jsr.ts'), join(app.folder, 'jsr')]);
  const publish = ['publish', '--dry-run', '--allow-dirty', '--quiet', '--config', 'jsr/jsr.json'];
  await app.run('.bin/deno', publish);
}

/** The package for npm, as `npm publish` checks it. No warning concerns the package. */
async function toNpm(apps: MatrixApps): Promise<void> {
  const publish = ['publish', apps.tarball, '--dry-run', '--provenance', '--access=public', '--loglevel=warn'];
  const { stderr } = await promisify(execFile)('npm', publish);
  const warnings = stderr.split('\n').filter((line) => / (warn|error) /i.test(line));
  strictEqual(warnings.filter((line) => !/logged in|Unknown (?:user|env) config/.test(line)).join('\n'), '');
}

/** An app that Next builds, with the data in its static page. */
async function inNext(apps: MatrixApps): Promise<void> {
  const app = await (await apps.app()).link('next', 'react', 'react-dom');
  await app.write(next);
  await app.script('next/dist/bin/next', ['build', '--webpack']);
  const page = await readFile(join(app.folder, '.next/server/app/index.html'), 'utf8');
  strictEqual(/3<!-- --> tweets, <!-- -->true/.test(page), true, page);
}

/** What the command line of the MCP Inspector prints, of the service and of the installed `social-data mcp`. */
async function inInspector(apps: MatrixApps): Promise<void> {
  const app = await apps.app();
  const { BASE_URL = '', KEY = '' } = apps.env;
  const program = join(app.folder, 'node_modules/@social-data/client/dist/cli.js');
  const env = { SOCIAL_DATA_BASE_URL: BASE_URL, SOCIAL_DATA_API_KEY: KEY };
  const targets = [
    [`${BASE_URL}/mcp`, '--transport', 'http', '--header', `x-api-key: ${KEY}`],
    [...Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]), process.execPath, program, 'mcp'],
  ];
  for (const target of targets) {
    const ask = async (...method: string[]): Promise<unknown> => {
      const inspector = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
      return JSON.parse(await app.script(inspector, ['--cli', ...target, '--method', ...method]));
    };
    const { tools } = (await ask('tools/list')) as { tools: { name: string }[] };
    strictEqual(
      tools.some(({ name }) => name === 'searchTweets'),
      true,
      JSON.stringify(tools),
    );
    const call = ['tools/call', '--tool-name', 'searchTweets', '--tool-arg', 'query=coffee', '--tool-arg', 'limit=2'];
    const { structuredContent: found } = (await ask(...call)) as { structuredContent: { tweets: unknown[] } };
    strictEqual(found.tweets.length, 2);
    const read = (await ask('resources/read', '--uri', 'social-data://user/mira_codes')) as { contents: unknown[] };
    strictEqual(JSON.stringify(read).includes('4200000001'), true, JSON.stringify(read));
  }
}

/** The title that a page sets, built by Vite, in Chromium. */
async function titleOf(app: MatrixApp, env: Readonly<Record<string, string>>): Promise<string> {
  const resolve = { dedupe: ['react', 'react-dom', '@tanstack/react-query', '@tanstack/query-core'] };
  await viteBuild({ root: app.folder, logLevel: 'silent', resolve });
  const site = await preview({ root: app.folder, logLevel: 'silent', preview: { port: 0, host: '127.0.0.1' } });
  const browser = await chromium.launch({
    executablePath: ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ?? '',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`${site.resolvedUrls?.local[0]}?${new URLSearchParams({ ...env })}`);
    await page.waitForFunction('document.title !== ""').catch((error: unknown) => {
      throw new Error(`the page does not end: ${complaints.join('\n')}`, { cause: error });
    });
    return await page.title();
  } finally {
    await browser.close();
    await site.close();
  }
}

async function inVite(apps: MatrixApps): Promise<void> {
  const app = await apps.app();
  const main = `import ${names} from '@social-data/client';
const env = Object.fromEntries(new URLSearchParams(location.search));
console.log = (text) => { document.title = text; };
${body.replaceAll('process.env', 'env')}`;
  await app.write({ 'index.html': '<!doctype html><script type="module" src="./main.js"></script>', 'main.js': main });
  same(await titleOf(app, apps.env));
}

async function inReact(apps: MatrixApps, age: Age): Promise<void> {
  const app = await (await apps.app()).link(...withReact[age]);
  const page = '<!doctype html><body><script type="module" src="./main.js"></script></body>';
  await app.write({ 'index.html': page, 'main.js': reactPage });
  strictEqual(await titleOf(app, apps.env), expectedOfReact);
}

/** The API reference from the types: each exported symbol has a comment, and typedoc has no warning. */
async function reference(apps: MatrixApps): Promise<void> {
  const app = await apps.app();
  await app.run(process.execPath, [join(root, 'test/matrix/reference.ts'), join(app.folder, 'reference')]);
  const page = await readFile(join(app.folder, 'reference/functions/index.createClient.html'), 'utf8');
  strictEqual(page.includes('Throws a UsageError'), true, page);
}

/** All checks. */
export const checks = (apps: MatrixApps): Check[] => [
  ...runtimes(apps),
  ...compile(apps),
  ...tests(apps),
  { name: 'npm publish --dry-run', run: () => toNpm(apps) },
  { name: 'JSR, deno publish --dry-run', run: () => toJsr(apps) },
  { name: 'MCP Inspector', run: () => inInspector(apps) },
  { name: 'Next', run: () => inNext(apps) },
  { name: 'Vite and Chromium', run: () => inVite(apps) },
  ...ages.map((age) => ({ name: `React and TanStack Query, ${age}`, run: () => inReact(apps, age) })),
  { name: 'API reference', run: () => reference(apps) },
];
