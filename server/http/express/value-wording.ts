/** Words what is wrong with a value, from the errors of Ajv in verbose mode. */
import type { ErrorObject } from 'ajv';
import { requirement, type ValueConstraints } from '../../contract/requirement.ts';
import { suggestion } from '../../text/nearest-name.ts';
import { isObject, memberOf } from '../../text/object.ts';

/** The steps of a JSON pointer. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Whether the error is about an unknown member. */
export const isUnknownMember = ({ keyword }: ErrorObject): boolean =>
  keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';

/** Whether the error is about a missing member. */
export const isMissingMember = ({ keyword }: ErrorObject): boolean =>
  keyword === 'required' || keyword === 'dependentRequired';

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'oneOf' || keyword === 'anyOf';

/** The member of an error that its pointer does not have: a missing or an unknown one. */
const innerMember = ({ params }: ErrorObject): string | undefined => {
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName } = params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName;
  return typeof name === 'string' ? name : undefined;
};

/** The steps to the value that an error is about. */
export const placeOf = (error: ErrorObject): string[] => {
  const inner = innerMember(error);
  return [...stepsOf(error.instancePath), ...(inner === undefined ? [] : [inner])];
};

/** The requirement that a value violates, as the end of a sentence. */
export function requirementWords(error: ErrorObject, example?: unknown): string {
  const { keyword, message = 'is not valid', data, parentSchema } = error;
  if (keyword === 'false schema') return 'is not allowed here';
  if (keyword === 'not') return 'has a value that is not allowed';
  if (keyword === 'oneOf' && memberOf(error.params, 'passingSchemas') !== null)
    return 'matches more than one of the allowed forms';
  if (isUnion(error)) return 'has none of the allowed forms';
  const constraints = (isObject(parentSchema) ? parentSchema : {}) as ValueConstraints;
  return requirement(keyword, constraints, data, message, example);
}

/**
 * The error that helps the caller most: an unknown member before a missing one, so that a misspelt name is named; the shallowest
 * of the others. Errors of branches of a union are not helpful without the choice of a branch: see `UnionErrors`.
 */
export function bestError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const union = errors
    .filter(isUnion)
    .reduce<ErrorObject | undefined>(
      (outer, each) => (outer === undefined || each.instancePath.length <= outer.instancePath.length ? each : outer),
      undefined,
    );
  const outside =
    union === undefined
      ? errors
      : errors.filter(({ instancePath }) => !`${instancePath}/`.startsWith(`${union.instancePath}/`));
  return outside.find(isUnknownMember) ?? outside[0] ?? union;
}

/** The end of a sentence about a parameter: ` must be …`, or `: member 'a' must be …`. */
export function valueWording(errors: readonly ErrorObject[], _value: unknown, example?: unknown): string {
  const error = bestError(errors);
  if (error === undefined) return ' is not valid';
  const place = placeOf(error);
  if (place.length === 0) return ` ${requirementWords(error, example)}`;
  const isIndex = place.length === 1 && /^\d+$/.test(place[0]!);
  const subject = isIndex ? `item ${Number(place[0]) + 1}` : `member '${place.join('.')}'`;
  if (isMissingMember(error)) return `: ${subject} is missing`;
  return isUnknownMember(error)
    ? `: unknown ${subject}${unknownHint(error)}`
    : `: ${subject} ${requirementWords(error)}`;
}

/** The member that an unknown one resembles. */
export function unknownHint(error: ErrorObject): string {
  const properties = memberOf(error.parentSchema, 'properties');
  return suggestion(innerMember(error) ?? '', Object.keys(isObject(properties) ? properties : {}));
}
