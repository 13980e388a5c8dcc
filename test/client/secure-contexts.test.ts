/** The client and the pages run on a page over plain HTTP, where browsers leave out the interfaces of secure contexts. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/packed.ts';

/** What the type definitions of the DOM mark as absent there. */
const marked =
  /Available only in secure contexts\.[\s\S]*?\*\/\s*(?:readonly |interface |declare (?:var|function) )?(\w+)/g;
/** The uses of a member of the global objects, or of a class. */
const used =
  /\b(?:crypto|navigator|window|self|globalThis)\s*\??\.\s*(\w+)|\bnew ([A-Z]\w+)|(?<![\w.'"])(caches|cookieStore)\./g;
/** What runs only where it is there. */
const guarded = ['pages/kit/copy.tsx: clipboard'];

/** The names that code uses; its comments do not count. */
const usesOf = (text: string): string[] =>
  Array.from(
    text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').matchAll(used),
    ([, member, type, name]) => (member ?? type ?? name)!,
  );

test('no module of the client or the pages needs an interface that only secure contexts have', async () => {
  const library = await readFile(join(root, 'node_modules/typescript/lib/lib.dom.d.ts'), 'utf8');
  const names = new Set(Array.from(library.matchAll(marked), ([, name]) => name!));
  for (const name of ['randomUUID', 'subtle', 'caches', 'serviceWorker', 'clipboard']) expect(names).toContain(name);
  expect(usesOf('const key = crypto.randomUUID();').filter((name) => names.has(name))).toEqual(['randomUUID']);
  const files = globSync(['client/src/**/*.ts', 'pages/**/*.{ts,tsx,js}'], { cwd: root });
  expect(files.length).toBeGreaterThan(60);
  const found = await Promise.all(
    files.map(async (file) => {
      const uses = usesOf(await readFile(join(root, file), 'utf8')).filter((name) => names.has(name));
      return uses.map((name) => `${file}: ${name}`);
    }),
  );
  expect(found.flat()).toEqual(guarded);
});
