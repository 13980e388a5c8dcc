/** A document in the one form that its readers expect: every path has its operations written out, each with all its parameters. */
/** The methods that OpenAPI has, but for TRACE. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
/** All that a path of an OpenAPI document may have. */
export const openApiMethods = [...methods, 'trace'] as const;
/** One of the methods, in lower case. */
export type Method = (typeof methods)[number];

interface Reference {
  readonly $ref: string;
}

/** So many references may lead to one another: more are a circle. */
const longestChain = 100;

/** Follows a local reference such as `#/components/schemas/Id`; anything else is returned as it is. Throws where it leads nowhere. */
export function resolve<T>(document: object, value: T | Reference, chain = 0): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string')
    return value as T;
  const { $ref } = value;
  if (chain === longestChain) throw new Error(`the reference ${$ref} leads back to itself`);
  let at: unknown = document;
  for (const step of decodeURIComponent($ref.replace(/^#/, '')).split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined;
  }
  if (at === undefined || !$ref.startsWith('#'))
    throw new Error(`the reference ${$ref} leads nowhere in this document`);
  return resolve(document, at as T, chain + 1);
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What tells a parameter from others. */
function identity(document: object, parameter: unknown): string {
  const { name, in: place } = resolve<Json>(document, parameter as Json);
  return `${String(place)} ${String(name)}`;
}

/** The item of a path without `$ref`, what it shares, and extensions: only its operations. */
function plainItem(document: object, item: Json): Json {
  const { $ref, ...own } = item;
  const whole: Json = typeof $ref === 'string' ? { ...resolve<Json>(document, { $ref }), ...own } : item;
  const shared: readonly unknown[] = Array.isArray(whole.parameters) ? whole.parameters : [];
  const operations = openApiMethods.flatMap((method): [string, Json][] => {
    const operation = whole[method];
    if (!isObject(operation)) return [];
    if (shared.length === 0) return [[method, operation]];
    const parameters: readonly unknown[] = Array.isArray(operation.parameters) ? operation.parameters : [];
    const named = new Set(parameters.map((parameter) => identity(document, parameter)));
    const inherited = shared.filter((parameter) => !named.has(identity(document, parameter)));
    return [[method, { ...operation, parameters: [...inherited, ...parameters] }]];
  });
  // In the order of the document.
  const order = Object.keys(whole);
  return Object.fromEntries(operations.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/**
 * The same contract, in which no path refers to a path component, no parameter stands beside the operations of a path, and paths have
 * neither extensions nor texts. Everything else is as it was. Throws where a reference leads nowhere.
 */
export function normaliseDocument<Of extends object>(document: Of): Of {
  const { paths } = document as { paths?: unknown };
  const items = Object.entries(isObject(paths) ? paths : {}).filter(([path]) => !path.startsWith('x-'));
  // What is no path item is left for the validator to find.
  const plain = ([path, item]: [string, unknown]): [string, unknown] => [
    path,
    isObject(item) ? plainItem(document, item) : item,
  ];
  return { ...document, paths: Object.fromEntries(items.map(plain)) };
}
