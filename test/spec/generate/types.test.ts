import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { types } from '../../../scripts/spec/generate-types.ts';
import { upgraded } from '../../../scripts/contract-tools/files/upgrade.ts';
import { yamlValue } from '../../../scripts/contract-tools/files/yaml.ts';

const contracts = new URL('../../fixtures/contracts/', import.meta.url);
/** What follows the schemas, which have declarations of their own. */
const operationsIn = (text: string): string => text.slice(text.search(/export (?:type|interface) operations/));

test.each(['library.yaml', 'timetable.json'])('%s has the types that openapi-typescript makes of it', async (name) => {
  const text = await readFile(new URL(name, contracts), 'utf8');
  const document = (): OpenAPI3 => upgraded(yamlValue(text)) as OpenAPI3;
  const theirs = astToString(await openapiTS(document(), { exportType: true, silent: true }));
  const ours = await types(document());
  // What a handler and a program get for bytes.
  const named = theirs
    .replace('"image/png": string;', '"image/png": Blob;')
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
  expect(operationsIn(ours).length).toBeGreaterThan(500);
  expect(operationsIn(ours)).toBe(operationsIn(named));
});

test('a schema becomes a declaration with its comment, to which all others refer', async () => {
  const text = await types({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    components: {
      schemas: {
        Book: { type: 'object', description: 'A book.', properties: { next: { $ref: '#/components/schemas/Book' } } },
        Shelf: { type: 'string', enum: ['A', 'B'] },
        paths: { type: 'string' },
      },
    },
  });
  expect(text).toContain('/** @description A book. */\nexport interface Book {\n    next?: Book;\n}');
  expect(text).toContain('\nexport type Shelf = "A" | "B";');
  expect(text).toMatch(/schemas: \{\s+Book: Book;\s+Shelf: Shelf;\s+paths: string;\s+\};/);
});

test('an object of any members can have any members', async () => {
  const text = await types({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    components: { schemas: { Free: { type: 'object' }, None: { type: 'object', additionalProperties: false } } },
  });
  expect(text).toContain('export type Free = Record<string, unknown>;');
  expect(text).toContain('export type None = Record<string, never>;');
});

test('what openapi-typescript rejects has its place', async () => {
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas: { A: 'text' } } };
  await expect(types(document as unknown as OpenAPI3)).rejects.toMatchObject({
    name: 'SpecError',
    pointer: '/components/schemas/A',
  });
});
