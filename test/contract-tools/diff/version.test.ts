import { describe, expect, test } from '@jest/globals';
import { compareContracts } from '../../../scripts/contract-tools/diff/contract.ts';
import { revisionOf } from '../../../scripts/contract-tools/diff/document.ts';
import { checkVersion, type VersionCheck } from '../../../scripts/contract-tools/diff/version.ts';
import { contract, type Json } from './documents.ts';

const at = (version: unknown, operation: Json = {}): Json =>
  contract(operation, { info: { title: 'Things', version } });
function check(before: Json, after: Json): VersionCheck {
  const [x, y] = [revisionOf('before', before), revisionOf('after', after)];
  return checkVersion(x, y, compareContracts(x, y));
}
const breaking = { operationId: 'createThing' };
const addition = { parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }] };
const wording = { description: 'Makes a thing.' };

describe('the version must increase as the differences require', () => {
  const cases: readonly (readonly [what: string, operation: Json, from: string, to: string, ok: boolean])[] = [
    ['a breaking change, and a new major version', breaking, '1.4.2', '2.0.0', true],
    ['a breaking change, and a new minor version', breaking, '1.4.2', '1.5.0', false],
    ['a breaking change, and the same version', breaking, '1.4.2', '1.4.2', false],
    ['an addition, and a new minor version', addition, '1.4.2', '1.5.0', true],
    ['an addition, and a new major version', addition, '1.4.2', '2.0.0', true],
    ['an addition, and a new patch version', addition, '1.4.2', '1.4.3', false],
    ['wording, and a new patch version', wording, '1.4.2', '1.4.3', true],
    ['wording, and the same version', wording, '1.4.2', '1.4.2', false],
    ['nothing, and the same version', {}, '1.4.2', '1.4.2', true],
    ['nothing, and a new version', {}, '1.4.2', '1.4.3', true],
    ['nothing, and an older version', {}, '1.4.2', '1.4.1', false],
    ['wording, and an older version', wording, '1.4.2', '1.3.9', false],
    ['a breaking change, and a candidate of the major version', breaking, '1.4.2', '2.0.0-rc.1', true],
    ['a breaking change between two candidates of a major version', breaking, '2.0.0-rc.1', '2.0.0-rc.2', true],
    ['a breaking change between two candidates of a minor version', breaking, '1.5.0-rc.1', '1.5.0-rc.2', false],
    ['an addition between two candidates of a minor version', addition, '1.5.0-rc.1', '1.5.0', true],
    ['build numbers alone', addition, '1.4.2+1', '1.4.2+2', false],
  ];
  for (const [what, operation, from, to, ok] of cases) {
    test(`${what}: ${ok ? 'passes' : 'is refused'}`, () => expect(check(at(from), at(to, operation)).ok).toBe(ok));
  }
});

test('an error names the lowest sufficient version', () => {
  expect(check(at('1.4.2'), at('1.4.2', breaking)).message).toContain('at least 2.0.0');
  expect(check(at('1.4.2'), at('1.4.3', addition)).message).toContain('at least 1.5.0');
  expect(check(at('1.4.2'), at('1.4.2', wording)).message).toContain('at least 1.4.3');
});

test('an invalid semantic version is an error with its position', () => {
  expect(() => check(at('1.0.0'), at('next'))).toThrow('after:1:1: info.version "next" is no semantic version');
  expect(() => check(at(1), at('1.0.0'))).toThrow('before:1:1: info.version 1 is no semantic version');
});
