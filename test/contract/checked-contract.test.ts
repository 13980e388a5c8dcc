import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { isChecked, markOf, recordMark } from '../../server/contract/checked-contract.ts';
import { readDocument, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { checkContract } from '../../server/http/express/validation-check.ts';
import { refusals } from '../../server/http/unsupported-parts.ts';

const generated = (name: string): Promise<string> =>
  readFile(new URL(`../../generated/${name}`, import.meta.url), 'utf8');

test('the contract of this project has the mark, and passes the checks that a start leaves out', async () => {
  const document = await readDocument();
  expect(isChecked(document)).toBe(true);
  expect(refusals(document)).toEqual([]);
  const copy = structuredClone(document);
  expect(isChecked(copy)).toBe(false);
  await expect(checkContract(copy)).resolves.toHaveProperty('validate');
});

test('a contract that was edited after the check has not the mark', async () => {
  const [text, mark] = await Promise.all([generated('openapi.json'), generated('openapi.checked')]);
  const edited = text.replace('"maximum": 100', '"maximum": 1000');
  expect(edited).not.toBe(text);
  const record = (from: string, given: string): boolean => {
    const document = JSON.parse(from) as object;
    recordMark(document, from, given);
    return isChecked(document);
  };
  expect([record(text, mark), record(edited, mark), record(text, ''), record(edited, markOf(edited))]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('the security schemes of a marked contract are compared with the authenticators at each start', async () => {
  const { components, ...rest } = await readDocument();
  const { securitySchemes } = components as { securitySchemes?: object };
  const basic = Object.fromEntries(
    Object.keys(securitySchemes ?? {}).map((name) => [name, { type: 'http', scheme: 'basic' }]),
  );
  const text = JSON.stringify({ ...rest, components: { ...components, securitySchemes: basic } });
  const document = JSON.parse(text) as OpenApiDocument;
  recordMark(document, text, markOf(text));
  expect(refusals(document).map(({ pointer }) => pointer)).toContain('/components/securitySchemes/bearer');
});
