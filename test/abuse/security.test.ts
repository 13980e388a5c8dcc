import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const text = await readFile(new URL('.github/SECURITY.md', root), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => /^\| API\d/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const named = rows.flatMap(([risk, , tests]) =>
  Array.from(tests!.matchAll(/`(test\/[^`]+)`(?:: “([^”]+)”)?/g), ([, file, title]) => ({
    risk: risk!.split(' ')[0]!,
    file: file!,
    title,
  })),
);

test('SECURITY.md covers the ten OWASP risks (2023), each with measures and a test', () => {
  expect(rows.map(([risk]) => risk!.split(' ')[0])).toEqual(Array.from({ length: 10 }, (_, at) => `API${at + 1}`));
  for (const [risk, does, tests] of rows) {
    expect({ risk, isSaid: does!.length > 50 }).toEqual({ risk, isSaid: true });
    expect({ risk, tests: tests!.split('<br>').every((each) => each.startsWith('`test/')) }).toEqual({
      risk,
      tests: true,
    });
  }
});

test.each(named)('$risk: $file has the named test', async ({ file, title }) => {
  const source = await readFile(new URL(file, root), 'utf8');
  expect(source).toMatch(/\b(?:test|testWith)[.(]/);
  if (title !== undefined) expect(source).toContain(title);
});

test('the documented limits equal those of the server', async () => {
  const files = ['server/http/server/listen.ts', 'server/http/server/head-fault.ts'];
  const source = (await Promise.all(files.map((file) => readFile(new URL(file, root), 'utf8')))).join('\n');
  for (const [said, is] of [
    ['96 kB', 'maxHeaderBytes = 96 * 1024'],
    ['100 fields', 'maxHeaderFields = 100'],
    ['must arrive in 10 s', 'headersTimeout = 10_000'],
    ['must arrive in 30 s', 'requestTimeout = 30_000'],
    ['after 3 minutes', 'stallTimeout = 180_000'],
  ] as const) {
    expect({ said, isSaid: text.replace(/\s+/g, ' ').includes(said) }).toEqual({ said, isSaid: true });
    expect(source).toContain(is);
  }
});
