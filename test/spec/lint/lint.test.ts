// Not in `npm run test:fast`: it lints the whole spec many times.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '@redocly/openapi-core';
import { compareContracts } from '../../../scripts/contract-tools/diff/contract.ts';
import { parseRevision } from '../../../scripts/contract-tools/diff/document.ts';
import { faultReport } from '../../../scripts/contract-tools/files/fault.ts';
import { lintSpec, type Linted } from '../../../scripts/spec/lint/lint.ts';
import { fixes } from '../../../scripts/spec/lint/redocly.ts';
import { nightlyTest } from '../../support/nightly.ts';
import { inTurn } from '../../support/rounds.ts';

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
async function planted(
  ...plants: readonly Plant[]
): Promise<Pick<Linted, 'faults' | 'warnings'> & { report: string; places: string[] }> {
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
  const { faults, warnings, texts } = await lintSpec(folder);
  return { report: faultReport([...faults, ...warnings], texts), faults, warnings, places };
}

describe('reports a fault in the spec with its position, its rule and the correction', () => {
  const demand = (scope: string): string =>
    `      security: [{ apiKeyHeader: [${scope}] }, { bearer: [${scope}] }, { apiKeyQuery: [${scope}] }]\n`;
  const scopes: readonly (readonly [what: string, plant: Plant, message: string, fix: string])[] = [
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
  ];
  test.each(inTurn(scopes, 1))('a scope %s', async (_, plant, message, fix) => {
    const { report } = await planted(plant);
    expect(report).toContain(`  operation-scope\n  ${message}\n`);
    expect(report).toContain(fix);
    expect(report).toContain('\n1 fault: nothing was generated.');
  });

  nightlyTest('no missing scope of an operation that is public, or may be called without a key', async () => {
    for (const security of ['[]', '[{}, { apiKeyHeader: [write] }]']) {
      const { faults } = await planted([demand('write'), `      security: ${security}\n`]);
      expect(faults).toEqual([]);
    }
  });

  test('a security scheme that the server has no authenticator for', async () => {
    const { faults } = await planted(
      ['  securitySchemes:\n', '  securitySchemes:\n    ¦session: { type: apiKey, in: cookie, name: sid }\n'],
      [demand('write'), '      security: [{ session: [write] }]\n'],
    );
    expect(faults).toMatchObject([
      { rule: 'unsupported', fix: expect.stringContaining('server/authenticators.ts'), line: expect.any(Number) },
    ]);
  });

  nightlyTest('a media type that is JSON under another name, and nothing that follows from it', async () => {
    const [list = ''] = /x-items: retweeters[^]*?application\/json/.exec(contract) ?? [];
    for (const name of ['Application/JSON', "'application/json; charset=utf-8'"]) {
      const { faults, places } = await planted([list, list.replace('application/json', `¦${name}`)]);
      expect(faults.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual(places);
      expect(faults).toMatchObject([
        { rule: 'media-type-name', fix: expect.stringMatching(/^write application\/json: /) },
      ]);
    }
  });

  test('with a correction, whatever rule finds it', async () => {
    const { rules } = await loadConfig({ configPath: join(spec, 'redocly.yaml') });
    const all = [rules.oas3_1, rules.async3].flatMap((set) => Object.entries(set));
    const active = all.filter(([, level]) => level !== 'off').map(([name]) => name);
    expect(active.length).toBeGreaterThan(30);
    expect(active.filter((name) => fixes[name] === undefined)).toEqual([]);
  });

  test('every demand of a new operation at once, and nothing twice', async () => {
    const operation = `  /social/user/blocks:
    get:
      operationId: getUserBlocks
      summary: The accounts that a user blocks
      x-items: ¦blocked
      x-exactly-one-of: [username, ¦user_id]
      x-requires: { ¦cursor: [¦limt] }
      parameters:
        - $ref: '#/components/parameters/limit'
        - { name: username, in: query, schema: { type: string } }
      responses:
        '200':
          description: The accounts.
          content: { application/json: { schema: { $ref: '#/components/schemas/FollowingPage' } } }
`;
    const { faults } = await planted(['  /social/tweet/unlike:\n', `${operation}  /social/tweet/unlike:\n`]);
    const found = faults.map(({ rule, message }) => `${rule}: ${message}`);
    expect(found.sort()).toEqual([
      "extension-name: x-exactly-one-of of getUserBlocks names 'user_id', which is no query parameter of the operation.",
      "extension-name: x-items of getUserBlocks names 'blocked', which is no list of its 200.",
      "extension-name: x-requires of getUserBlocks names 'cursor', which is no query parameter of the operation.",
      "extension-name: x-requires of getUserBlocks names 'limt', which is no query parameter of the operation.",
      'operation-4xx-response: Operation must have at least one `4XX` response.',
      'operation-repeat: getUserBlocks: x-repeat must be one of safe, refused',
      'operation-scope: getUserBlocks demands no scope.',
    ]);
    expect(faults.every(({ fix }) => fix !== undefined)).toBe(true);
  });

  const names: readonly (readonly [what: string, plant: Plant, fix: string])[] = [
    [
      'a misspelt parameter of a group',
      ['x-exactly-one-of: [username, user_id]', 'x-exactly-one-of: [username, ¦userid]'],
      "did you mean 'user_id'?",
    ],
    [
      'a misspelt required parameter',
      ['x-requires: { conversation_id: [prompt] }', 'x-requires: { conversation_id: [¦promt] }'],
      "did you mean 'prompt'?",
    ],
    ['a misspelt list', ['x-items: retweeters', '¦x-items: retweeterss'], "did you mean 'retweeters'?"],
    [
      'another value of x-repeat',
      ['x-repeat: refused\n      x-timeout', '¦x-repeat: never\n      x-timeout'],
      '`x-repeat: safe`',
    ],
    [
      'another value of x-mcp',
      ['x-repeat: refused\n      x-timeout', 'x-repeat: refused\n      ¦x-mcp: "no"\n      x-timeout'],
      '`x-mcp: false`',
    ],
  ];
  test.each(inTurn(names, 2))('%s', async (_, plant, fix) => {
    const { report, faults, places } = await planted(plant);
    expect(faults).toHaveLength(1);
    expect(report).toContain(`${places[0]}  `);
    expect(report).toContain(fix);
  });

  nightlyTest('a component that nothing uses is a warning, so that an operation can be removed', async () => {
    const { faults, warnings } = await planted(['  schemas:\n', '  schemas:\n    Lonely: { type: string }\n']);
    expect(faults).toEqual([]);
    expect(warnings).toMatchObject([{ rule: 'unused-component', message: 'Nothing uses schemas/Lonely.' }]);
  });

  test('a link that a removed or renamed operation or parameter left behind is a warning with its place', async () => {
    const { faults, warnings } = await planted(
      [
        '  RepliesOfTweet:\n      operationId: getTweetReplies\n',
        '  RepliesOfTweet:\n      operationId: getTweetReply\n',
      ],
      ['parameters: { user_id: $response.body#/host/id }', 'parameters: { query.userid: $response.body#/host/id }'],
    );
    expect(faults).toEqual([]);
    expect(warnings).toMatchObject([
      {
        rule: 'link-target',
        message: "The link gives 'query.userid', which is no parameter of getUserLastTweets.",
        fix: expect.stringContaining('user_id'),
      },
      {
        rule: 'link-target',
        message: "The link leads to 'getTweetReply', which is no operation.",
        fix: expect.stringMatching(/^name an operation, or delete the link.*getTweetReplies/),
      },
    ]);
    for (const { file, line } of warnings) expect([file, line > 1]).toEqual(['spec/openapi.yaml', true]);
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
  test.each<[string, string, number, string, string]>([
    ['an empty file', '', 1, 'yaml-syntax', 'restore the file'],
    ['a file with only a comment', '# nothing\n', 1, 'yaml-syntax', 'restore the file'],
    ['a list', '- a\n', 1, 'yaml-syntax', 'begin with names'],
    [
      'a merge conflict',
      'openapi: 3.1.0\n<<<<<<< HEAD\ninfo: { title: A }\n=======\ninfo: { title: B }\n>>>>>>> other\n',
      2,
      'merge-conflict',
      'delete the lines that begin with',
    ],
  ])('%s', async (_, text, line, rule, fix) => {
    await writeFile(join(folder, 'spec/openapi.yaml'), text);
    const { faults } = await lintSpec(folder);
    expect(faults).toMatchObject([
      { file: 'spec/openapi.yaml', line, column: 1, rule, fix: expect.stringContaining(fix) },
    ]);
  });

  nightlyTest('reads merge keys as the other parsers of OpenAPI documents do', async () => {
    const merged = contract
      .replace('x-scopes:\n', 'x-common: &common { tags: [Spaces], x-repeat: safe }\nx-scopes:\n')
      .replace(/operationId: getSpace\n( +x-repeat: safe\n)/, 'operationId: getSpace\n      <<: *common\n');
    expect(merged).toContain('<<: *common');
    await writeFile(join(folder, 'spec/openapi.yaml'), merged.replace('      tags: [Spaces]\n', ''));
    expect((await lintSpec(folder)).faults).toEqual([]);
    expect(compareContracts(parseRevision('before', contract), parseRevision('after', merged))).toMatchObject([
      { rule: 'extension-changed', subject: 'x-common' },
    ]);
  });

  test.each(inTurn(syntax, 2))('%s: once, at its start', async (_, plant, says) => {
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

  nightlyTest('accepts a component that only another file of the spec refers to', async () => {
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
  expect(await lintSpec(folder)).toMatchObject({ faults: [], warnings: [] });
});
