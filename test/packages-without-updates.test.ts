/** Packages that get no updates any more, or that are used by private parts, are known to one module each. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import semver from 'semver';
import { root } from './support/packed.ts';

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  engines: { node: string };
};

test.each([
  ['openapi-typescript', 'scripts/spec/generate-types.ts'],
  ['openapi-fetch', 'client/src/openapi-fetch.ts'],
  ['express-openapi-validator', 'server/http/express/validator-library.ts'],
])('%s is imported in %s only, in one exact version', async (name, module) => {
  const files = globSync(['{server,client,scripts,pages,generated}/**/*.{ts,tsx,js,mjs}'], {
    cwd: root,
    // The benchmark measures the client beside openapi-fetch alone; the scripts of the pages are bundles.
    exclude: ['**/node_modules/**', 'client/dist/**', 'scripts/bench/**', 'generated/pages/**'],
  });
  expect(files.length).toBeGreaterThan(500);
  const known = new RegExp(`(?:(?:from|import|require|resolve)\\s*\\(?\\s*['"]|node_modules/)${name}(?:/[^'"]*)?['"]`);
  const found = await Promise.all(
    files.map(async (file) => (known.test(await readFile(join(root, file), 'utf8')) ? [file] : [])),
  );
  expect(found.flat()).toEqual([module]);
  expect({ ...manifest.dependencies, ...manifest.devDependencies }[name]).toMatch(/^\d+\.\d+\.\d+$/);
});

test('no package warns on a version of Node that the README names', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const named = /You need Node (\d+\.\d+\.\d+), (\d+\.\d+) or newer/.exec(readme)?.slice(1) ?? [];
  expect(named).toHaveLength(2);
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string }; optional?: boolean }>;
  };
  const versions = [...named.map((version) => semver.coerce(version)!.version), '24.21.0', '26.0.0'];
  const refused = versions.flatMap((version) =>
    Object.entries(lock.packages)
      .filter(([, { engines, optional }]) => !optional && !semver.satisfies(version, engines?.node ?? '*'))
      .map(([name]) => `${version}: ${name}`),
  );
  expect(refused).toEqual([]);
  // The pinned Node is one of them.
  expect(semver.satisfies(manifest.devDependencies['node']!, manifest.engines.node)).toBe(true);
});

test('the client names the oldest Node that it is tested on', async () => {
  const read = async (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  const { dependencies } = JSON.parse(await read('test/matrix/package.json')) as {
    dependencies: Record<string, string>;
  };
  const [major, minor] = dependencies['node20']!.replace('npm:node@', '').split('.');
  const { engines } = JSON.parse(await read('client/package.json')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${major}.${minor}`);
  expect(await read('client/README.md')).toContain(`It runs in Node ${major}.${minor} or newer`);
});
