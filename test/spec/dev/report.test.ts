import { expect, test } from '@jest/globals';
import { parseRevision } from '../../../scripts/contract-tools/diff/document.ts';
import { compareContracts } from '../../../scripts/contract-tools/diff/contract.ts';
import { subjectsOf } from '../../../scripts/spec/dev/contract-change.ts';
import { shortened } from '../../../scripts/spec/dev/report.ts';

const spec = (parameters: string, properties: string, more = ''): string => `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      parameters: [${parameters}]
      responses:
        '200':
          description: Them.
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
${more}components:
  schemas:
    Thing:
      type: object
      additionalProperties: false
      properties: { inner: { type: object, additionalProperties: false, properties: { ${properties} } } }
  parameters:
    size: { name: size, in: query, schema: { type: integer, maximum: 10 } }
`;

test('reports differences by operation and schema, with their effect on callers', () => {
  const before = parseRevision('before', spec("{ $ref: '#/components/parameters/size' }", 'a: { type: string }'));
  const removed =
    "  /other:\n    get:\n      operationId: listOthers\n      responses: { '204': { description: Nothing. } }\n";
  const after = parseRevision(
    'after',
    spec(
      "{ $ref: '#/components/parameters/size' }, { name: lang, in: query, schema: { type: string } }",
      'b: { type: string }',
      removed,
    ).replace('maximum: 10', 'maximum: 5'),
  );
  const texts = subjectsOf(compareContracts(before, after), before, after).map(
    ({ sign, name, context, differences }) =>
      `${sign} ${name} ${context}: ${differences.map((entry) => `${entry.sign} ${entry.text} (${entry.level})`).join(', ')}`,
  );
  expect(texts).toEqual([
    '~ Thing in 1 operation: - field inner.a (breaking), + field inner.b (care)',
    '~ listThings GET /things: ~ parameter size.maximum: maximum tightened (breaking), + parameter lang (safe)',
    '+ listOthers GET /other: ',
  ]);
  const back = subjectsOf(compareContracts(after, before), after, before);
  expect(back).toContainEqual({
    sign: '-',
    name: 'listOthers',
    context: 'GET /other',
    level: 'breaking',
    differences: [],
  });
});

test('shortens long types in a compiler message, but not names', () => {
  expect(shortened("Property 'a' is missing in type '{ b: string; c: { d: number; }; e: string; f: string; }'.")).toBe(
    "Property 'a' is missing in type '{…}'.",
  );
  expect(shortened(`Type '"${'a'.repeat(100)}"' is wrong`).length).toBeLessThan(100);
});
