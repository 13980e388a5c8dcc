// Not in `npm run test:fast`: it lints the whole spec many times.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { faultReport } from '../../../scripts/spec/lint/fault.ts';
import { lintSpec } from '../../../scripts/spec/lint/lint.ts';

const spec = new URL('../../../spec/', import.meta.url).pathname;
let folder: string;
let contract: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spec-lint-'));
  await cp(spec, join(folder, 'spec'), { recursive: true });
  contract = await readFile(join(spec, 'openapi.yaml'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true }));

type Plant = readonly [from: string, to: string];
/** Plants faults in a copy of the contract; returns the report, and for each plant the place of `^` in its new text. */
async function planted(...plants: readonly Plant[]): Promise<{ report: string; places: string[] }> {
  let text = contract;
  for (const [from, to] of plants) {
    expect(text).toContain(from);
    text = text.replace(from, () => to);
  }
  const places = plants.map(([, to]) => {
    const before = text.slice(0, text.indexOf(to) + to.indexOf('¦')).split('\n');
    return `spec/openapi.yaml:${before.length}:${before.at(-1)!.length + 1}`;
  });
  await writeFile(join(folder, 'spec/openapi.yaml'), text.replaceAll('¦', ''));
  const { faults, texts } = await lintSpec(folder);
  return { report: faultReport(faults, texts), places };
}

describe('reports a fault in the spec with its position, its rule and the correction', () => {
  const demand = (scope: string): string =>
    `      security: [{ apiKeyHeader: [${scope}] }, { bearer: [${scope}] }, { apiKeyQuery: [${scope}] }]\n`;
  test.each<[string, Plant, string, string]>([
    [
      'that there is not',
      [demand('write'), demand('wrote').replace('security: ', 'security: ¦')],
      "There is no scope 'wrote'.",
      "take one of x-scopes: did you mean 'write'?",
    ],
    [
      'that is missing',
      [demand('write'), ''],
      'unlikeTweet demands no scope.',
      'name one of x-scopes, as by `security: [{ apiKeyHeader: [read] }',
    ],
    [
      'that differs between the schemes',
      ['{ bearer: [write] }', '{ bearer: [read] }'],
      'The security schemes demand different scopes.',
      'demand the same one in each.',
    ],
  ])('a scope %s', async (_, plant, message, fix) => {
    const { report } = await planted(plant);
    expect(report).toContain(`  operation-scope\n  ${message}\n`);
    expect(report).toContain(fix);
    expect(report).toContain('\n1 fault: nothing was generated.');
  });

  test('several faults at once, of every rule', async () => {
    const { report, places } = await planted(
      ["- $ref: '#/components/parameters/prompt'", "- ¦$ref: '#/components/parameters/promt'"],
      ['operationId: getAssistantStatus', '¦operationId: explainTweet'],
      [
        "schema: { type: string, pattern: '^[A-Za-z0-9]{1,32}$'",
        "schema: { type: string, ¦pattern: '^[A-Za-z0-9{1,32}$'",
      ],
      ['enum: [Latest, Top], default: Latest }', 'enum: [Latest, Top], ¦default: Newest }'],
      ['value: { success: true }', 'value: { success: ¦"yes" }'],
      ['has_next_page: { type: boolean }', 'has_next_page: { type: ¦bolean }'],
      ['  schemas:\n', '  schemas:\n    ¦Lonely:\n      type: string\n      description: Nobody refers to it.\n'],
      ['required: [tweets, next_cursor, has_next_page]', 'required: [¦tweetz, next_cursor, has_next_page]'],
    );
    const [reference, operation, pattern, standard, example, type, unused, required] = places;
    expect(report).toContain(`${reference}  no-unresolved-refs\n  There is no parameters/promt.\n`);
    expect(report).toContain("did you mean '#/components/parameters/prompt'?");
    expect(report).toContain(`${operation}  operation-operationId-unique\n`);
    expect(report).toContain('give one of the two operations another operationId');
    expect(report).toContain(`${pattern}  invalid-pattern\n`);
    expect(report).toContain(`${standard}  default-breaks-schema\n`);
    expect(report).toContain(`${example}  no-invalid-media-type-examples\n`);
    expect(report).toContain('`success` property type must be boolean');
    expect(report).toContain(`${type}  struct\n`);
    expect(report).toContain('did you mean boolean?');
    expect(report).toContain(`${unused}  unused-component\n  Nothing uses schemas/Lonely.\n`);
    expect(report).toContain(`${required}  no-required-schema-properties-undefined\n`);
    for (const block of report.split('\n\n').slice(0, -1))
      expect(block).toMatch(/^spec\/openapi\.yaml:\d+:\d+ {2}[\w-]+\n[^]*\n {2}\d+ \| .*\n {2} +\| +\^\n {2}Fix: /);
  });

  const syntax: readonly (readonly [what: string, plant: Plant, says: string])[] = [
    [
      'a line that is indented too far',
      ['  title: Social Data\n', '  title: ¦Social Data\n   version2: x\n'],
      'indent the next line like its neighbours',
    ],
    [
      'a name that is given twice',
      ['  title: Social Data\n', '  title: Social Data\n  ¦title: Twice\n'],
      'keep one of the two.',
    ],
    ['a text with a colon', ['  title: Social Data\n', '  title: ¦Social: Data\n'], 'put the text in quotes'],
    [
      'a bracket that stays open',
      ['tags: [Assistant]\n      summary', 'tags: [Assistant\n      ¦summary'],
      'close a bracket that is still open above',
    ],
    [
      'a quote that stays open',
      ['  title: Social Data\n', '  title: "Social Data\n'],
      'close the bracket or the quotes',
    ],
    ['a tab', ['  title: Social Data\n', '¦\ttitle: Social Data\n'], 'indent with spaces.'],
  ];
  test.each(syntax)('%s: once, at its start', async (_, plant, says) => {
    const { report, places } = await planted(plant);
    expect(report).toMatch(/^spec\/openapi\.yaml:\d+:\d+ {2}yaml-syntax\n/);
    if (plant[1].includes('¦')) expect(report).toContain(`${places[0]}  yaml-syntax\n`);
    expect(report).toContain(says);
    expect(report).toContain('\n1 fault: nothing was generated.');
  });

  test('also checks the YAML syntax of the other files', async () => {
    await writeFile(join(folder, 'spec/openapi.yaml'), contract);
    const archive = await readFile(join(spec, 'archive.yaml'), 'utf8');
    await writeFile(join(folder, 'spec/archive.yaml'), `${archive}\n  - : [`);
    const { faults } = await lintSpec(folder);
    await writeFile(join(folder, 'spec/archive.yaml'), archive);
    expect(faults[0]).toMatchObject({ file: 'spec/archive.yaml', rule: 'yaml-syntax' });
  });

  test('accepts a component that only another file of the spec refers to', async () => {
    await writeFile(
      join(folder, 'spec/openapi.yaml'),
      contract.replace(
        '  schemas:\n',
        '  schemas:\n    Lonely:\n      type: string\n      description: Another file refers to it.\n',
      ),
    );
    await writeFile(
      join(folder, 'spec/other.yaml'),
      "payload: { $ref: './openapi.yaml#/components/schemas/Lonely' }\n",
    );
    const { faults } = await lintSpec(folder);
    await rm(join(folder, 'spec/other.yaml'));
    expect(faults).toEqual([]);
  });
});

test('the current spec has no fault', async () => {
  await writeFile(join(folder, 'spec/openapi.yaml'), contract);
  expect((await lintSpec(folder)).faults).toEqual([]);
});
