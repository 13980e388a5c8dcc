/** Validates request bodies by the contract, and words the errors. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { lazy } from '../../collections/lazy.ts';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { compilerWithin, type CompileSchema } from '../../contract/schema-compiler.ts';
import { badRequest } from '../../contract/service-error.ts';
import { isObject, memberOf } from '../../text/object.ts';
import {
  bestError,
  isMissingMember,
  isUnknownMember,
  placeOf,
  requirementWords,
  unknownHint,
} from './value-wording.ts';

/** Throws 400 for a body that the contract does not allow. `bytes`: the size of the body. Sets the default values of members. */
export type ValidateBody = (body: unknown, bytes: number) => void;

/** Maximum size in bytes of a body of which all errors are found, for the best of them; of a larger one it is the first. */
const maxExplainedBytes = 64 * 1024;
/** Maximum depth of unions in unions. */
const maxDepth = 10;

/** What another constant counts for, in errors. */
const constantDistance = 1000;

/** How far a value is from a branch of a union: another type, then another constant, then the number of errors. */
function distance(errors: readonly ErrorObject[]): number {
  const isOtherType = errors.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === '');
  const constants = errors.filter(({ keyword }) => keyword === 'const' || keyword === 'enum').length;
  return (isOtherType ? 1000 * constantDistance : 0) + constants * constantDistance + errors.length;
}

/**
 * One error for all branches, where the value fits none of them better than the others: it has another type than all, or another
 * constant. Undefined where a branch fits.
 */
function alternativesOf(branches: readonly (readonly ErrorObject[])[]): ErrorObject | undefined {
  if (branches.some((errors) => distance(errors) < constantDistance)) return undefined;
  const types = branches.map((errors) =>
    errors.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === ''),
  );
  const constants = branches.map((errors) => errors.find(({ keyword }) => keyword === 'const' || keyword === 'enum'));
  const valuesOf = (name: string, errors: readonly (ErrorObject | undefined)[]): unknown[] => [
    ...new Set(errors.flatMap((error): unknown => memberOf(error?.parentSchema, name) ?? [])),
  ];
  const [type] = types;
  if (type !== undefined && types.every((error) => error !== undefined))
    return { ...type, parentSchema: { type: valuesOf('type', types) } as never };
  const constant = constants.find((error) => error !== undefined);
  const isSame = constants.every((error) => error === undefined || error.instancePath === constant?.instancePath);
  if (constant === undefined || !isSame) return undefined;
  const values = [...valuesOf('const', constants), ...valuesOf('enum', constants)];
  return { ...constant, keyword: 'enum', parentSchema: { enum: values } as never };
}

/** Validates the values of schemas of a document. */
export class BodyValidators {
  readonly #first: () => CompileSchema;
  readonly #all: () => CompileSchema;
  readonly #branches = new WeakMap<object, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    const options = { direction: 'request', verbose: true, useDefaults: true } as const;
    this.#first = lazy(() => compilerWithin(document, options));
    this.#all = lazy(() => compilerWithin(document, { ...options, allErrors: true }));
  }

  /** The validator of a schema, which is compiled at its first use. */
  validator(schema: object): ValidateBody {
    const isValid = lazy(() => this.#first()(schema));
    const explain = lazy(() => this.#all()(schema));
    return (body, bytes) => {
      const quick = isValid();
      if (quick(body)) return;
      const full = bytes <= maxExplainedBytes ? explain() : quick;
      full(body);
      const error = this.#best(full.errors ?? quick.errors ?? []);
      throw badRequest(error === undefined ? 'the body is not valid' : bodyWords(error));
    };
  }

  /** The error that helps the caller most: within a union that of the branch that fits best. */
  #best(errors: readonly ErrorObject[], depth = 0): ErrorObject | undefined {
    const error = bestError(errors);
    const branches = error && memberOf(error.parentSchema, error.keyword);
    const isUnion = error?.keyword === 'oneOf' || error?.keyword === 'anyOf';
    if (error === undefined || !isUnion || !Array.isArray(branches) || depth > maxDepth) return error;
    if (error.keyword === 'oneOf' && memberOf(error.params, 'passingSchemas') !== null) return error;
    const found = branches
      .filter(isObject)
      .map((branch) => this.#errorsOf(branch, error.data))
      .filter((own) => own.length > 0)
      .toSorted((one, other) => distance(one) - distance(other));
    const [nearest] = found;
    if (nearest === undefined) return error;
    const inner = alternativesOf(found) ?? this.#best(nearest, depth + 1) ?? error;
    return { ...inner, instancePath: `${error.instancePath}${inner.instancePath}` };
  }

  #errorsOf(branch: object, value: unknown): readonly ErrorObject[] {
    const isValid = this.#branches.get(branch) ?? this.#all()(branch);
    this.#branches.set(branch, isValid);
    return isValid(value) ? [] : (isValid.errors ?? []);
  }
}

/** What is wrong with a body, in the words of all its errors. */
function bodyWords(error: ErrorObject): string {
  const name = placeOf(error).join('.');
  if (isMissingMember(error)) return `member '${name}' of the body is missing`;
  if (isUnknownMember(error)) return `unknown member '${name}' of the body${unknownHint(error)}`;
  const subject = name === '' ? 'the body' : `member '${name}' of the body`;
  return `${subject} ${requirementWords(error)}`;
}
