// Tests server/follow/x/errors.ts and server/follow/x/targets.ts.
/** The rules of the filtered stream, lines and positions. */
import { describe, expect, test } from '@jest/globals';
import { LineSplitter } from '../../../server/follow/x/lines.ts';
import { Progress } from '../../../server/follow/x/progress.ts';
import { ruleChanges, joinAccounts, type ExistingRule, type Wanted } from '../../../server/follow/x/rules.ts';
import { pollIntervalMs } from '../../../server/follow/x/stream.ts';
import fc, { anyCharacter } from '../../support/property.ts';

const none: Wanted = { accounts: [], searches: new Map() };
/** The rules at X after the changes. */
function applied(existing: readonly ExistingRule[], wanted: Wanted): ExistingRule[] {
  const { add, remove } = ruleChanges(existing, wanted);
  const kept = existing.filter(({ id }) => !remove.includes(id));
  const nextId = 1 + Math.max(0, ...existing.map(({ id }) => Number(id)));
  return [...kept, ...add.map((rule, index) => ({ ...rule, id: String(nextId + index) }))];
}
const accountsOf = (rules: readonly ExistingRule[]): string[] =>
  rules.flatMap(({ tag, value }) => (tag === 'social-data:accounts' ? value.split(' OR ') : [])).toSorted();

describe('rules', () => {
  test('join accounts, name searches by their target, and leave the rules of others alone', () => {
    const foreign = { id: '1', value: 'from:99', tag: 'marketing' };
    const wanted = { accounts: ['11', '12'], searches: new Map([['x:search:tea', 'tea']]) };
    expect(ruleChanges([foreign, { id: '2', value: 'old', tag: 'social-data:x:search:old' }], wanted)).toEqual({
      add: [
        { tag: 'social-data:accounts', value: 'from:11 OR from:12' },
        { tag: 'social-data:x:search:tea', value: 'tea' },
      ],
      remove: ['2'],
    });
  });

  test('change only where they must: a new account changes one rule', () => {
    const accounts = Array.from({ length: 200 }, (_, index) => String(1_000_000_000_000 + index));
    const rules = applied([], { ...none, accounts });
    expect(rules.length).toBeGreaterThan(3);
    const changes = ruleChanges(rules, { ...none, accounts: [...accounts.slice(1), '77'] });
    expect(changes.add.length).toBeLessThanOrEqual(2);
    expect(changes.remove).toHaveLength(changes.add.length);
    expect(ruleChanges(rules, { ...none, accounts })).toEqual({ add: [], remove: [] });
  });

  test('have exactly what is wanted after any changes, within the length', () => {
    const account = fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String);
    const target = fc.uniqueArray(account, { maxLength: 150 });
    fc.assert(
      fc.property(fc.array(target, { minLength: 1, maxLength: 5 }), (states) => {
        const foreign = { id: '1', value: 'cats', tag: '' };
        let rules: ExistingRule[] = [foreign];
        for (const accounts of states) {
          rules = applied(rules, { ...none, accounts });
          expect(accountsOf(rules)).toEqual(accounts.map((id) => `from:${id}`).toSorted());
          expect(rules).toContain(foreign);
          for (const { value } of rules) expect(value.length).toBeLessThanOrEqual(1024);
          expect(applied(rules, { ...none, accounts })).toEqual(rules);
        }
      }),
    );
  });

  test('queries of accounts have the maximum length', () => {
    const queries = joinAccounts(
      Array.from({ length: 100 }, (_, index) => String(10n ** 18n + BigInt(index))),
      512,
    );
    expect(Math.max(...queries.map(({ length }) => length))).toBeLessThanOrEqual(512);
    expect(queries.length).toBeLessThan(8);
  });
});

test('lines are the same however they are cut into chunks; a long line costs only itself', () => {
  const text = fc.array(
    fc.string({ unit: anyCharacter, maxLength: 30 }).map((line) => line.replaceAll(/\s/g, '')),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 10 }), (lines, cuts) => {
      let tooLong = 0;
      const splitter = new LineSplitter(40, () => void tooLong++);
      const bytes = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
      const seen: string[] = [];
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        seen.push(...splitter.add(bytes.subarray(from, from + cut)));
        from += cut;
      }
      const fits = lines
        .map((line) => Buffer.from(line).toString().trim())
        .filter((line) => Buffer.byteLength(line) < 40);
      expect(seen.filter((line) => Buffer.byteLength(line) < 40)).toEqual(fits);
      expect(seen.length + tooLong).toBe(lines.length);
    }),
  );
});

describe('positions', () => {
  test('one id stands for all targets that are complete', () => {
    const progress = new Progress(undefined);
    progress.set(['11', '12'], '100');
    progress.read(['11'], { since: '150' });
    expect(new Progress(progress.toString()).spans).toEqual([['11', { since: '150' }]]);
    progress.live(['11', '12']);
    progress.delivered('170');
    expect(progress.toString()).toBe('{"id":"170","targets":[]}');
  });

  test('a search that is not complete continues after a restart', () => {
    const progress = new Progress(undefined);
    progress.set(['11'], '100');
    progress.read(['11'], { since: '100', until: '140', newest: '190' });
    const next = new Progress(progress.toString());
    next.set(['11', '12'], '500');
    expect(next.spans).toEqual([
      ['11', { since: '100', until: '140', newest: '190' }],
      ['12', { since: '100' }],
    ]);
  });

  test('a text that is no position counts as none', () => {
    for (const text of ['', 'x', '{}', '{"id":"a"}', '[]', 'null']) {
      const progress = new Progress(text);
      progress.set(['11'], '7');
      expect(progress.spans).toEqual([['11', { since: '7' }]]);
    }
  });
});

test('the interval of searches spreads the budget over the day, within bounds', () => {
  const day = 24 * 60 * 60 * 1000;
  expect(pollIntervalMs(1, 1000, day)).toBe(864_000);
  expect(pollIntervalMs(1, 1_000_000, day)).toBe(30_000);
  expect(pollIntervalMs(100, 10_000_000, day)).toBe(250_000);
  expect(pollIntervalMs(1, 0, day)).toBe(3_600_000);
});
