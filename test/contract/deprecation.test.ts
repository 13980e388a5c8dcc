import { expect, test } from '@jest/globals';
import { deprecationHeaders, deprecationWords, type Deprecatable } from '../../server/contract/deprecation.ts';

const since = { 'x-deprecated-since': '2026-10-01' };
const sunset = { 'x-sunset': '2027-03-31' };

test.each<[string, Deprecatable, string[], string]>([
  ['not deprecated', { ...since, ...sunset }, [], ''],
  ['not deprecated any more', { deprecated: false, ...sunset }, [], ''],
  ['deprecated', { deprecated: true }, ['Deprecation', '@0'], 'deprecated'],
  [
    'deprecated since a day',
    { deprecated: true, ...since },
    ['Deprecation', '@1790812800'],
    'deprecated since 2026-10-01',
  ],
  [
    'deprecated with a last day',
    { deprecated: true, ...sunset },
    ['Deprecation', '@0', 'Sunset', 'Wed, 31 Mar 2027 00:00:00 GMT'],
    'deprecated, last day 2027-03-31',
  ],
  [
    'deprecated between two days',
    { deprecated: true, ...since, ...sunset },
    ['Deprecation', '@1790812800', 'Sunset', 'Wed, 31 Mar 2027 00:00:00 GMT'],
    'deprecated since 2026-10-01, last day 2027-03-31',
  ],
  [
    'deprecated on days that are none',
    { deprecated: true, 'x-deprecated-since': 'soon', 'x-sunset': '2027-02-31x' },
    ['Deprecation', '@0'],
    'deprecated since soon, last day 2027-02-31x',
  ],
])('what callers read about a part that is %s', (_case, part, headers, words) => {
  expect([deprecationHeaders(part), deprecationWords(part)]).toEqual([headers, words]);
});
