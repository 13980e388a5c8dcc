/** Writes the first entry of a new operation into the text of the spec: one that passes the lint and the generator. */
import { isMap, isScalar, parseDocument, stringify, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { methods } from '../../../server/contract/plain-document.ts';
import { parametersOfPath } from '../../../server/contract/path-template.ts';
import { placed, type Document, type Operation } from '../contract-document.ts';
import { parseYaml, yamlValue } from '../../contract-tools/files/index.ts';

/** The words with which an operationId begins. */
const verbs: Readonly<Record<string, string>> = {
  get: 'get',
  post: 'create',
  put: 'replace',
  patch: 'update',
  delete: 'delete',
};

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** A name for the operation, from its method and the literal segments of its path. */
function operationIdOf(method: string, path: string, template: string | undefined): string {
  const prefix = template?.split('{')[0] ?? '/';
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return `${verbs[method] ?? method}${rest
    .replace(/\{[^}]*\}/g, '')
    .split('/')
    .map(pascal)
    .join('')}`;
}

type Placed = ReturnType<typeof placed>[number];
/** How many segments two paths have in common at their start. */
function common(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  const index = a.findIndex((segment, at) => segment !== b[at]);
  return index < 0 ? a.length : index;
}

/** The present operation that is most like the new one: of the same method, and the nearest path. */
function modelFor(document: Document, method: string, path: string): Placed | undefined {
  const score = (one: Placed): number => common(one.path, path) + (one.method === method ? 100 : 0);
  return placed(document).toSorted((one, other) => score(other) - score(one))[0];
}

type Secured = Operation & { security?: unknown; tags?: readonly string[] };

/** The value of the entry. `errors` are the responses that it repeats. */
function entryOf(
  document: Document,
  method: string,
  path: string,
  model: Placed | undefined,
  errors: Record<string, unknown>,
): Record<string, unknown> {
  const { security, tags }: Partial<Secured> = model?.operation ?? {};
  const parameters = parametersOfPath(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: `The ${name}.`,
    schema: { type: 'string', minLength: 1, maxLength: 256 },
    example: 'a',
  }));
  const object = { type: 'object', additionalProperties: false, properties: {} };
  const json = { 'application/json': { schema: object, example: {} } };
  const reads = method === 'get' || method === 'head';
  return {
    operationId: operationIdOf(method, path, document['x-method-names']),
    'x-repeat': reads ? 'safe' : 'refused',
    ...(security !== undefined && { security }),
    ...(tags !== undefined && { tags }),
    summary: 'To be written',
    ...(parameters.length > 0 && { parameters }),
    ...(['post', 'put', 'patch'].includes(method) && { requestBody: { required: true, content: json } }),
    responses: { 200: { description: 'To be written.', content: json }, ...errors },
  };
}

/** The errors of an operation that are components of the text: those of an operation in another file. */
function sharedErrors(text: string, model: Placed | undefined): Record<string, unknown> {
  const components = valueOf(parseYaml(text).document.contents, 'components', 'responses');
  const isThere = ({ $ref }: { $ref?: string }): boolean => {
    const [, name] = /^#\/components\/responses\/([^/]+)$/.exec($ref ?? '') ?? [];
    return name !== undefined && (pairOf(components, name) ?? pairOf(components, '$ref')) !== undefined;
  };
  return Object.fromEntries(
    Object.entries(model?.operation.responses ?? {}).filter(
      ([status, response]) => /^[45]/.test(status) && isThere(response as { $ref?: string }),
    ),
  );
}

const pairOf = (map: Node | null | undefined, key: string): Pair | undefined =>
  isMap(map) ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined;
const valueOf = (map: Node | null | undefined, ...keys: readonly string[]): Node | undefined =>
  keys.reduce<Node | undefined>((at, key) => pairOf(at, key)?.value as Node | undefined, map ?? undefined);

/**
 * The text with an anchor at the responses of the model, and the name of the anchor; undefined where these are written in
 * one line.
 */
function anchored(text: string, { path, method, operation }: Placed): { text: string; anchor: string } | undefined {
  const root = parseYaml(text).document.contents;
  const item = valueOf(root, 'paths', path, method);
  const responses = valueOf(item, 'responses') as YAMLMap | undefined;
  const key = pairOf(item, 'responses')?.key as Scalar | undefined;
  if (responses === undefined || !isMap(responses) || key?.range == null || responses.flow === true) return undefined;
  if (responses.anchor !== undefined) return { text, anchor: responses.anchor };
  const anchor = `responses-of-${operation.operationId}`;
  const end = text.indexOf(':', key.range[1]) + 1;
  return { text: `${text.slice(0, end)} &${anchor}${text.slice(end)}`, anchor };
}

/** The lines of the entry, with the errors of the model by one reference. */
function linesOf(path: string, method: string, entry: Record<string, unknown>, anchor: string | undefined): string {
  const text = stringify({ [path]: { [method]: entry } }, { aliasDuplicateObjects: false, lineWidth: 0 });
  const merged = anchor === undefined ? text : text.replace(/^( +)responses:\n/m, `$&$1  <<: *${anchor}\n`);
  return merged.replace(/^(?=.)/gm, '  ');
}

/**
 * The text of a spec with a first entry for an operation such as `GET /social/user/blocks`, and its operationId. The errors are
 * those of the operation that is most like it. `document` is the whole spec, where `text` refers to other files. Throws an Error
 * for the user for another form, or an operation that is there.
 */
export function withOperation(
  text: string,
  route: string,
  document = yamlValue(text) as Document,
): { text: string; operationId: string } {
  const [, verb = '', path = ''] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(route.trim()) ?? [];
  const method = methods.find((each) => each === verb.toLowerCase());
  if (method === undefined) throw new Error(`'${route}' is no method and path, such as 'GET /social/user/blocks'`);
  const operations = placed(document);
  if (operations.some((one) => one.method === method && one.path === path))
    throw new Error(`the spec has ${method.toUpperCase()} ${path} already`);
  const model = modelFor(document, method, path);
  const shared = model === undefined ? undefined : anchored(text, model);
  const entry = entryOf(document, method, path, model, shared === undefined ? sharedErrors(text, model) : {});
  const operationId = String(entry.operationId);
  const taken = operations.find(({ operation }) => operation.operationId === operationId);
  if (taken !== undefined)
    throw new Error(`${taken.method.toUpperCase()} ${taken.path} is ${operationId} already: choose another path`);
  const base = shared?.text ?? text;
  const paths = valueOf(parseDocument(base).contents, 'paths');
  if (!isMap(paths) || paths.range == null || paths.flow === true || pairOf(paths, '$ref') !== undefined)
    throw new Error('the spec has no `paths` that an operation can be added to');
  const present = valueOf(paths, path);
  if (pairOf(present, '$ref') !== undefined) throw new Error(`${path} stands in another file: add the operation there`);
  const lines = linesOf(path, method, entry, shared?.anchor);
  // Another method of a path goes into the entry of this path.
  const [at, added] =
    present?.range == null ? [paths.range[1], lines] : [present.range[1], lines.slice(lines.indexOf('\n') + 1)];
  const end = base.slice(0, at).replace(/\s+$/, '').length;
  return { text: `${base.slice(0, end)}\n${added.trimEnd()}\n${base.slice(end).replace(/^\s*\n/, '')}`, operationId };
}
