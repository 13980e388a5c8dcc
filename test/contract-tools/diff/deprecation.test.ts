import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { compareContracts } from '../../../scripts/contract-tools/diff/contract.ts';
import { parseRevision } from '../../../scripts/contract-tools/diff/document.ts';
import { runDiff } from '../../../scripts/spec/diff/main.ts';
import { parseWaivers } from '../../../scripts/contract-tools/diff/waivers.ts';
import { checkVersion } from '../../../scripts/contract-tools/diff/version.ts';
import { releasedFiles } from '../../../scripts/spec/release/released.ts';

type Part = Record<string, unknown>;
const contract = (operation: Part | undefined, member: Part | undefined, parameter: Part | undefined): Part => ({
  openapi: '3.1.0',
  info: { title: 'It', version: '1.0.0' },
  paths: {
    '/kept': {
      get: {
        operationId: 'kept',
        parameters:
          parameter === undefined ? [] : [{ name: 'old', in: 'query', schema: { type: 'string' }, ...parameter }],
        responses: {
          200: {
            description: 'Fine.',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { ...(member && { old: { type: 'string', ...member } }) } },
              },
            },
          },
        },
      },
    },
    ...(operation && {
      '/old': { get: { operationId: 'old', responses: { 200: { description: 'Fine.' } }, ...operation } },
    }),
  },
});
const deprecated = { deprecated: true, 'x-sunset': '2026-06-30' };
const revision = (document: Part) => parseRevision('it', JSON.stringify(document));
const before = revision(contract(deprecated, deprecated, deprecated));
const after = revision(contract(undefined, undefined, undefined));

describe('what is deprecated may be removed after its x-sunset', () => {
  test('not on the last day', () => {
    const findings = compareContracts(before, after, '2026-06-30');
    expect(
      findings
        .filter(({ level }) => level === 'breaking')
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual(['operation-removed', 'parameter-removed', 'property-undeclared']);
    expect(findings[0]?.advice).toMatch(/^It may be removed after 2026-06-30, its x-sunset\./);
    expect(checkVersion(before, after, findings).required).toBe('major');
  });
  test('on the day after it: with a minor version, and the report says so', () => {
    const findings = compareContracts(before, after, '2026-07-01');
    const removed = findings.filter(({ rule }) => rule.endsWith('-removed') || rule === 'property-undeclared');
    expect(removed.map(({ rule, level, bump }) => `${rule} ${level} ${bump}`).sort()).toEqual([
      'operation-removed safe minor',
      'parameter-removed safe minor',
      'property-undeclared safe minor',
    ]);
    expect(removed.every(({ advice }) => advice === 'It was deprecated until 2026-06-30, so it may be removed.')).toBe(
      true,
    );
    expect(checkVersion(before, after, findings).required).toBe('minor');
  });
  test('a date without `deprecated: true` permits nothing', () => {
    const dated = revision(contract({ 'x-sunset': '2026-06-30' }, undefined, undefined));
    expect(compareContracts(dated, after, '2030-01-01')).toMatchObject([
      { rule: 'operation-removed', level: 'breaking' },
    ]);
  });
});

describe('waivers', () => {
  let folder: string | undefined;
  afterEach(() => rm(folder!, { recursive: true }));
  /** The gate for a removed operation, with this file of waivers. */
  async function gate(waivers: string, version: string, ...options: string[]) {
    folder = await mkdtemp(join(tmpdir(), 'waivers-'));
    await mkdir(join(folder, 'spec/released'), { recursive: true });
    await mkdir(join(folder, '.github'));
    await writeFile(join(folder, '.github/CHANGELOG.md'), '# Changelog\n\n## 1.0.0 - 2026-01-02\n');
    for (const [path, text] of Object.entries(releasedFiles(contract({}, undefined, undefined), '1.0.0', '2026-01-02')))
      await writeFile(join(folder, path), text);
    const now = { ...contract(undefined, undefined, undefined), info: { title: 'It', version } };
    await writeFile(join(folder, 'spec/openapi.yaml'), JSON.stringify(now, null, 1));
    await writeFile(join(folder, 'spec/waivers.yaml'), waivers);
    return runDiff(options, folder);
  }
  const waiver = (until: string, place = 'GET /old'): string =>
    `- finding: operation-removed\n  place: ${place}\n  reason: Nobody ever called it.\n  until: ${until}\n`;

  test('without one, a removal needs a major version', async () => {
    expect(await gate('# none\n', '1.1.0')).toMatchObject({ code: 1, err: '' });
  });
  test('a valid one lets it pass with a minor version, and the reports show it', async () => {
    const { code, out } = await gate(waiver('2999-01-01'), '1.1.0');
    expect(code).toBe(0);
    expect(out).toContain('Waived  operation-removed  GET /old\n    until 2999-01-01: Nobody ever called it.');
    expect(out).toContain('demand at least a minor one');
  });
  test('but not without a version step', async () => {
    expect(await gate(waiver('2999-01-01'), '1.0.0')).toMatchObject({ code: 1 });
  });
  test.each([
    ['an expired one', waiver('2020-01-01'), 'expired-waiver'],
    ['one that nothing needs', waiver('2999-01-01') + waiver('2999-01-01', 'GET /older'), 'unused-waiver'],
  ])('%s fails, in every format, with its place', async (_, waivers, rule) => {
    const { code, out } = await gate(waivers, '2.0.0', '--format', 'github');
    expect(code).toBe(1);
    const line = rule === 'unused-waiver' ? 5 : 1;
    expect(out).toMatch(new RegExp(`::error file=spec/waivers.yaml,line=${line},col=\\d+,title=${rule}::`));
    for (const format of ['text', 'markdown', 'json', 'junit', 'html'])
      expect((await runDiff(['--format', format], folder!)).out).toContain(rule);
  });
  test.each([
    ['- place: x\n', /^spec:diff: spec\/waivers\.yaml:1:3: the waiver needs a text in 'finding'/],
    [waiver('2026-02-30'), /:4:3: '2026-02-30' is no day, such as 2027-01-31/],
    [`${waiver('2999-01-01')}  untill: never\n`, /:5:3: 'untill' is none of finding/],
    ['finding: x\n', /:1:1: expected a list of waivers/],
    ['- [', /spec\/waivers\.yaml:\d+:\d+: /],
  ])('an invalid file is refused with its place: %j', async (text, message) => {
    expect(await gate(text, '2.0.0')).toMatchObject({ code: 2, err: expect.stringMatching(message) });
  });
  test('the HTML page escapes what the contract says', async () => {
    folder = await mkdtemp(join(tmpdir(), 'waivers-'));
    const evil = {
      ...contract({}, undefined, undefined),
      info: { title: '<script>alert(1)</script>', version: '1.0.1' },
    };
    await writeFile(join(folder, 'a.json'), JSON.stringify(contract({}, undefined, undefined)));
    await writeFile(join(folder, 'b.json'), JSON.stringify(evil));
    const { out } = await runDiff(['--format', 'html', 'a.json', 'b.json'], folder);
    expect(out).toContain('&lt;script&gt;');
    expect(out).not.toContain('<script');
    expect(parseWaivers('')).toEqual([]);
  });
});
