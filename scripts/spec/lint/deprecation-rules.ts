/** The rules of the dates of a deprecation. */
import { isObject } from '../../../server/text/object.ts';
import { isDay } from '../../contract-tools/day.ts';
import type { PointedFault } from './extension-rules.ts';

const dates = ['x-deprecated-since', 'x-sunset'] as const;

/** The faults of the dates of one object. */
export function deprecationFaults(part: unknown, pointer: string): PointedFault[] {
  if (!isObject(part)) return [];
  const given = dates.filter((name) => part[name] !== undefined);
  const invalid = given.find((name) => !isDay(part[name]));
  const [name = ''] = given;
  const fault = (at: string, message: string, fix: string): PointedFault[] => [
    { pointer: `${pointer}/${at}`, rule: 'deprecation-dates', message, fix },
  ];
  if (invalid !== undefined)
    return fault(
      invalid,
      `${invalid} is '${String(part[invalid])}', which is no day.`,
      'write a day, such as 2027-01-31.',
    );
  if (given.length > 0 && part.deprecated !== true)
    return fault(
      name,
      `${name} has no effect on what is not deprecated.`,
      'add `deprecated: true`, or delete the date.',
    );
  const [since, sunset] = dates.map((each) => part[each]);
  if (typeof since === 'string' && typeof sunset === 'string' && since > sunset)
    return fault(
      'x-sunset',
      `It ends on ${sunset}, before it is deprecated on ${since}.`,
      'correct one of the two days.',
    );
  return [];
}
