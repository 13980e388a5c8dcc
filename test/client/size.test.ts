import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from '@jest/globals';
import { root } from '../support/packed.ts';

/** Bytes of a bundle for a browser, minified and gzipped, with all that the code imports. */
async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'client') },
    bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false,
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

test('a client weighs no more than 6 kB', async () => {
  expect(await sizeOf("import { createClient } from './src/index.ts'; globalThis.client = createClient({ baseUrl: '' });")).toBeLessThanOrEqual(6_000);
});
test('an app that only tells errors apart takes no client along', async () => {
  expect(await sizeOf("import { RateLimitError } from './src/index.ts'; globalThis.is = (error) => error instanceof RateLimitError;")).toBeLessThanOrEqual(700);
});
