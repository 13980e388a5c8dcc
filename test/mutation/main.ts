/**
 * `npm run mutation -- SOURCE [TESTS]`: makes many small changes to SOURCE, a file or folder below `server/`, in a copy of the repository, and
 * lists each one that the tests do not find. TESTS is a pattern of test files; without it those of the same path below `test/`.
 * Installs the packages of this folder once. A change takes as long as the test files that reach it, up to the first that fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyRepository } from '../support/copy.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
/** The share of changes in per cent that the tests must find. */
const enough = 80;

function fail(message: string): never {
  console.error(`mutation: ${message}`);
  process.exit(2);
}

function install(): void {
  if (existsSync(stryker)) return;
  console.log('installing the packages of test/mutation …');
  const parameters = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', parameters, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) fail('the packages cannot be installed; nothing was tested');
}

const [source, tests = source?.replace(/^server\//, 'test/').replace(/\.ts$/, '')] = process.argv.slice(2);
if (source === undefined || source.startsWith('-') || tests === undefined)
  fail('usage: npm run mutation -- SOURCE [TESTS], such as server/keys or server/keys/expiry.ts keys/expiry');
if (!source.startsWith('server/') || !existsSync(source)) fail(`${source} is no file or folder below server/`);
install();

const own = new Set(['matrix', 'network', 'postgres']);
const copy = await copyRepository(readdirSync(join(folder, '..')).filter((name) => !own.has(name)));
let code: number | null = 1;
try {
  const settings = {
    mutate: [source.endsWith('.ts') ? source : `${source}/**/*.ts`],
    // Stryker's runner for Jest knows nothing of the environment and the runtime of this project.
    plugins: ['./test/mutation/runner.js'],
    testRunner: 'jest-files',
    testRunnerNodeArgs: ['--disable-warning=ExperimentalWarning'],
    coverageAnalysis: 'perTest',
    // Code that runs only while a module is loaded: each of its changes would take a process of its own.
    ignoreStatic: true,
    concurrency: 2,
    inPlace: true,
    // Node removes types without a look at them.
    disableTypeChecks: false,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, skipFull: true },
    thresholds: { high: 100, low: enough, break: enough },
    timeoutMS: 10_000,
  };
  await writeFile(join(copy.path, 'stryker.conf.json'), JSON.stringify(settings));
  const env = { ...process.env, MUTATION_TESTS: tests };
  code = spawnSync(process.execPath, [stryker, 'run'], { cwd: copy.path, stdio: 'inherit', env }).status;
} finally {
  await copy.dispose();
}
process.exitCode = code ?? 1;
