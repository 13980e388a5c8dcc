import { describe, expect, test } from '@jest/globals';
import { rules, type RuleId } from '../../../scripts/contract-tools/diff/rules.ts';
import { answered, sent, verdicts } from './documents.ts';
import { schemaCases } from './schema-cases.ts';

describe('classifies a schema change for requests, and the reverse change for responses', () => {
  for (const { rule, before, after, request, response, name } of schemaCases) {
    test(`${rule}: ${name}`, () => {
      expect({
        request: verdicts(sent(before), sent(after)),
        response: verdicts(answered(before), answered(after)),
      }).toEqual({
        request: [`${request} ${rule}`],
        response: [`${response} ${rule}`],
      });
    });
  }
});

test('a change that removes values in one direction adds them in the other', () => {
  const mirrored = { narrower: 'wider', wider: 'narrower', both: 'both', unknown: 'unknown', none: 'none' };
  const effects = (before: unknown, after: unknown): string[] =>
    verdicts(sent(before), sent(after)).map((text) => rules[text.split(' ')[1] as RuleId].effect);
  for (const { before, after, rule } of schemaCases) {
    // A member that is new and required excludes every old value; without it, every new value.
    if (rule.startsWith('property') || rule.startsWith('required-property')) continue;
    const there = effects(before, after).map((effect) => mirrored[effect as keyof typeof mirrored]);
    expect({ rule, back: effects(after, before) }).toEqual({ rule, back: there });
  }
});
