import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { operationIds } from '../../../server/contract/operations.ts';
import { readTable, withHandler } from '../../../scripts/spec/scaffold/table.ts';

const real = await readFile(new URL('../../../server/operations/index.ts', import.meta.url), 'utf8');
const order = ['getA', 'getB', 'getC', 'getD'];
const file = (imports: string, entries: string): string => `/** The table. */
${imports}
import type { Parts } from './parts.ts';

export const createHandlers = (parts: Parts): Handlers => ({
${entries}
});
`;
const both = file(
  "import { getA } from './getA.ts'; // the first\nimport { getC } from './getC.ts';",
  '  getA: getA(parts), // the first\n  /* the last */\n  getC: getC(parts),',
);

test('reads all handlers of the table of the repository', () => {
  const { imports, entries, parts } = readTable(real)!;
  expect(imports.map(({ id }) => id).sort()).toEqual([...operationIds].sort());
  expect(entries.map(({ id }) => id).sort()).toEqual([...operationIds].sort());
  expect(parts).toBe('parts');
});

test('restores a handler that was removed from the table at its old position', () => {
  const present = readTable(real)!.entries.map(({ id }) => id);
  for (const id of present) {
    const without = real.replace(new RegExp(`^(import \\{ ${id} \\}|  ${id}:).*\\n`, 'gm'), '');
    expect(without.split('\n')).toHaveLength(real.split('\n').length - 2);
    expect(withHandler(without, id, present)).toBe(real);
  }
});

describe('a new handler', () => {
  test('is inserted at the position of its name and of the contract; all other bytes are unchanged', () => {
    expect(withHandler(both, 'getB', order)).toBe(
      file(
        "import { getA } from './getA.ts'; // the first\nimport { getB } from './getB.ts';\nimport { getC } from './getC.ts';",
        '  getA: getA(parts), // the first\n  getB: getB(parts),\n  /* the last */\n  getC: getC(parts),',
      ),
    );
    expect(withHandler(both, 'getD', order)).toContain('  getC: getC(parts),\n  getD: getD(parts),\n});');
    expect(withHandler(both, 'getD', ['getD', ...order])).toContain(
      '=> ({\n  getD: getD(parts),\n  getA: getA(parts), // the first\n',
    );
    const first = withHandler(both.replaceAll('getA', 'getZ'), 'getA', order)!;
    expect(first).toContain("/** The table. */\nimport { getA } from './getA.ts';\n");
  });
  test('adds a missing comma to the previous entry, and has its indentation', () => {
    const bare = file("import { getA } from './getA.ts';", '\tgetA: getA(parts) // no comma');
    expect(withHandler(bare, 'getB', order)).toContain(
      '=> ({\n\tgetA: getA(parts), // no comma\n\tgetB: getB(parts),\n});',
    );
  });
  test('has the same arguments as the other handlers', () => {
    expect(withHandler(both.replaceAll('(parts', '(from'), 'getB', order)).toContain('  getB: getB(from),\n');
  });
  test('uses the line endings of the file', () => {
    const extended = withHandler(both.replaceAll('\n', '\r\n'), 'getB', order)!;
    expect(extended).toBe(withHandler(both, 'getB', order)!.replaceAll('\n', '\r\n'));
  });
  test('is completed if it is partial, and unchanged if it exists', () => {
    const imported = both.replace('import type', "import { getB } from './getB.ts';\nimport type");
    expect(withHandler(imported, 'getB', order)).toBe(
      imported.replace('the first\n  /*', 'the first\n  getB: getB(parts),\n  /*'),
    );
    expect(withHandler(both, 'getC', order)).toBe(both);
  });
});

test('an empty table of a new project gets its first and its second handler', () => {
  const empty = file('', '').replace('({\n\n})', '({})');
  const one = withHandler(empty, 'getB', order)!;
  expect(one).toContain("import { getB } from './getB.ts';\nimport type { Parts }");
  expect(one).toContain('=> ({\n  getB: getB(parts),\n});');
  const two = withHandler(one, 'get-C', ['getB', 'get-C'])!;
  expect(two).toContain("import { getB } from './getB.ts';\nimport { getC } from './getC.ts';\n");
  expect(two).toContain("  getB: getB(parts),\n  'get-C': getC(parts),\n");
});

test.each([
  ['all on one line', both.replace(/\(\{[^]*\}\)/, '({ getA: getA(parts), getC: getC(parts) })')],
  ['made by a function', both.replace('=> ({', '=> { return {').replace('});', '}; };')],
  ['of another name', both.replace('createHandlers', 'handlers')],
  ['empty', file('', '')],
  ['of parts that are taken apart', both.replace('(parts: Parts)', '({ ...parts }: Parts)')],
  ['that is not TypeScript', `${both}\nconst = ;`],
  ['that is not there', ''],
])('leaves a table %s unchanged', (_, text) => {
  expect(withHandler(text, 'getB', order)).toBeUndefined();
});
