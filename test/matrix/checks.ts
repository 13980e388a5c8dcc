/** The checks: one for each runtime, tool and version. Each rejects with what is wrong. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { strictEqual } from 'node:assert';
import { join } from 'node:path';
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
  jestPlain,
  jestTest,
  names,
  next,
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

function compile(apps: MatrixApps): Check[] {
  return compilers.flatMap((version) =>
    Object.entries(resolutions).map(([name, resolution]) => ({
      name: `TypeScript ${version.replace(/^5/, '5.')}, ${name}`,
      async run() {
        const app = await apps.app();
        const compilerOptions = {
          ...resolution,
          target: 'es2022',
          lib: ['es2022', 'dom', 'dom.iterable'],
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: false,
          noEmit: true,
          types: [],
        };
        await app.write({
          'app.mts': types,
          ...(name === 'bundler' ? {} : { 'app.cts': types }),
          'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }),
        });
        await app.script(`ts${version}/bin/tsc`, ['-p', '.']);
      },
    })),
  );
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

/** An app that Next builds, with the data in its static page. */
async function inNext(apps: MatrixApps): Promise<void> {
  const app = await (await apps.app()).link('next', 'react', 'react-dom');
  await app.write(next);
  await app.script('next/dist/bin/next', ['build', '--webpack']);
  const page = await readFile(join(app.folder, '.next/server/app/index.html'), 'utf8');
  strictEqual(/3<!-- --> tweets, <!-- -->true/.test(page), true, page);
}

/** A page that Vite builds, in Chromium. */
async function inVite(apps: MatrixApps): Promise<void> {
  const app = await apps.app();
  const main = `import ${names} from '@social-data/client';
const env = Object.fromEntries(new URLSearchParams(location.search));
console.log = (text) => { document.title = text; };
${body.replaceAll('process.env', 'env')}`;
  await app.write({ 'index.html': '<!doctype html><script type="module" src="./main.js"></script>', 'main.js': main });
  await viteBuild({ root: app.folder, logLevel: 'silent' });
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
    await page.goto(`${site.resolvedUrls?.local[0]}?${new URLSearchParams({ ...apps.env })}`);
    await page.waitForFunction('document.title !== ""').catch((error: unknown) => {
      throw new Error(`the page does not end: ${complaints.join('\n')}`, { cause: error });
    });
    same(await page.title());
  } finally {
    await browser.close();
    await site.close();
  }
}

/** All checks. */
export const checks = (apps: MatrixApps): Check[] => [
  ...runtimes(apps),
  ...compile(apps),
  ...tests(apps),
  { name: 'JSR, deno publish --dry-run', run: () => toJsr(apps) },
  { name: 'Next', run: () => inNext(apps) },
  { name: 'Vite and Chromium', run: () => inVite(apps) },
];
