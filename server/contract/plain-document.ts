/** Normalises an OpenAPI document: every path contains its operations, each with all its parameters. */
import { isObject } from '../text/object.ts';
/** The methods of OpenAPI, without TRACE. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
/** All methods that a path of an OpenAPI document can have. */
export const openApiMethods = [...methods, 'trace'] as const;
/** A method in lower case. */
export type Method = (typeof methods)[number];

interface Reference {
  readonly $ref: string;
}

/** Maximum length of a chain of references; a longer one counts as circular. */
const maxChainLength = 100;

/**
 * Resolves a local reference such as `#/components/schemas/Id`, and returns any other value unchanged. Throws where the
 * reference points to nothing or is circular.
 */
export function resolve<T>(document: object, value: T | Reference, chain = 0): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string')
    return value as T;
  const { $ref } = value;
  if (chain === maxChainLength) throw new Error(`the reference ${$ref} is circular`);
  let at: unknown = document;
  // Few references have escapes, and a start resolves thousands.
  for (const step of ($ref.includes('%') ? decodeURIComponent($ref) : $ref).split('/').slice(1)) {
    const name = step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined;
  }
  if (at === undefined || !$ref.startsWith('#'))
    throw new Error(`the reference ${$ref} has no target in this document`);
  return resolve(document, at as T, chain + 1);
}

type Json = Readonly<Record<string, unknown>>;

/** The identity of a parameter: its location and name. */
function identity(document: object, parameter: unknown): string {
  const { name, in: location } = resolve<Json>(document, parameter as Json);
  return `${String(location)} ${String(name)}`;
}

/** A path item that contains only its operations: without `$ref`, shared parameters and extensions. */
function normaliseItem(document: object, item: Json): Json {
  const { $ref, ...siblings } = item;
  const resolved: Json = typeof $ref === 'string' ? { ...resolve<Json>(document, { $ref }), ...siblings } : item;
  const shared: readonly unknown[] = Array.isArray(resolved.parameters) ? resolved.parameters : [];
  const operations = openApiMethods.flatMap((method): [string, Json][] => {
    const operation = resolved[method];
    if (!isObject(operation)) return [];
    if (shared.length === 0) return [[method, operation]];
    const parameters: readonly unknown[] = Array.isArray(operation.parameters) ? operation.parameters : [];
    const ownIds = new Set(parameters.map((parameter) => identity(document, parameter)));
    const inherited = shared.filter((parameter) => !ownIds.has(identity(document, parameter)));
    return [[method, { ...operation, parameters: [...inherited, ...parameters] }]];
  });
  // In the order of the document.
  const order = Object.keys(resolved);
  return Object.fromEntries(operations.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** An operationId from the method and the path: `getMuseumHoursId` for `get /museum-hours/{id}`. */
function derivedId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** Adds the operationIds that are absent. Each operation has another one. */
function withIds(paths: Json): Json {
  const operations = Object.values(paths).flatMap((item) => (isObject(item) ? Object.values(item) : []));
  const taken = new Set(operations.map((operation) => (isObject(operation) ? operation.operationId : undefined)));
  if (!taken.has(undefined)) return paths;
  const idOf = (method: string, path: string): string => {
    const id = derivedId(method, path);
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? id : `${id}${number}`;
      if (taken.has(candidate)) continue;
      taken.add(candidate);
      return candidate;
    }
  };
  const named = ([path, item]: [string, unknown]): [string, unknown] => [
    path,
    isObject(item)
      ? Object.fromEntries(
          Object.entries(item).map(([method, operation]) => [
            method,
            isObject(operation) && operation.operationId === undefined
              ? { operationId: idOf(method, path), ...operation }
              : operation,
          ]),
        )
      : item,
  ];
  return Object.fromEntries(Object.entries(paths).map(named));
}

/**
 * Normalises a contract: no path item refers to a component, no path has shared parameters, paths have no extensions, summaries
 * and descriptions, and every operation has an operationId: where it is absent, one from its method and path. Everything else is
 * unchanged. Throws where a reference points to nothing.
 */
export function normaliseDocument<Of extends object>(document: Of): Of {
  const { paths } = document as { paths?: unknown };
  const items = Object.entries(isObject(paths) ? paths : {}).filter(([path]) => !path.startsWith('x-'));
  // Other values stay unchanged, and the validator reports them.
  const normalise = ([path, item]: [string, unknown]): [string, unknown] => [
    path,
    isObject(item) ? normaliseItem(document, item) : item,
  ];
  return { ...document, paths: withIds(Object.fromEntries(items.map(normalise))) };
}
