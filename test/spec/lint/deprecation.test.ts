import { describe, expect, test } from '@jest/globals';
import { bundleOf } from '../../../scripts/contract-tools/files/bundle.ts';
import { ownFaults } from '../../../scripts/spec/lint/own-rules.ts';
import { specText, startMock } from '../../testing/mock/service.ts';

const faults = (members: string) => {
  const text = `paths:\n  /a:\n    get:\n      operationId: a\n${members}`;
  return ownFaults(bundleOf({ entry: 'it.yaml', texts: new Map([['it.yaml', text]]) }), []);
};
const line = (text: string): string => `      ${text}\n`;

test.each([
  ['a date that is none', line('deprecated: true') + line('x-sunset: 2026-02-30'), /x-sunset is '2026-02-30'/, 6],
  ['a date of what is not deprecated', line('x-sunset: 2026-02-28'), /has no effect on what is not deprecated/, 5],
  [
    'an end before its start',
    line('deprecated: true') + line('x-deprecated-since: 2026-03-01') + line('x-sunset: 2026-02-28'),
    /ends on 2026-02-28, before it is deprecated on 2026-03-01/,
    7,
  ],
])('%s is a fault', (_, members, message, at) => {
  expect(faults(members)).toEqual([
    expect.objectContaining({ line: at, rule: 'deprecation-dates', message: expect.stringMatching(message) }),
  ]);
});
test('valid dates are none', () => {
  const members = line('deprecated: true') + line('x-deprecated-since: 2026-01-01') + line('x-sunset: 2026-02-28');
  expect(faults(members)).toEqual([]);
});

describe('the responses of a deprecated operation', () => {
  test.each([
    [
      '\n      deprecated: true\n      x-deprecated-since: 2026-01-01\n      x-sunset: 2026-12-31',
      '@1767225600',
      'Thu, 31 Dec 2026 00:00:00 GMT',
    ],
    ['\n      deprecated: true', '@0', null],
    ['', null, null],
  ])('%j', async (members, deprecation, sunset) => {
    const mock = await startMock({}, specText.replace('operationId: getSpace\n', `operationId: getSpace${members}\n`));
    try {
      for (const target of ['/social/space/detail?id=1vSampleSpace1', '/social/space/detail'])
        for (const { headers } of [await mock.request(target)])
          expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([deprecation, sunset]);
    } finally {
      await mock.stop(0);
    }
  });
});
