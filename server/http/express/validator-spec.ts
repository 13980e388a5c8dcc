/**
 * What express-openapi-validator needs of a document. Its own loader compiles the schema of OpenAPI documents and looks for references to
 * other files at each start, which takes longer than the rest of the start; here the schema is compiled ahead, and there are no other files.
 */
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { isOpenApi } from '../../../generated/openapi-schema.js';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { openApiMethods, resolve } from '../../contract/operation-table.ts';

type Reference = { readonly $ref: string };
type Components = Record<string, Record<string, unknown>>;

/** Calls `found` with each reference in a value. */
function eachReference(value: unknown, found: (reference: Reference) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('$ref' in value && typeof value.$ref === 'string') found({ $ref: value.$ref });
  for (const member of Object.values(value)) eachReference(member, found);
}

/** What a reference names. Throws when it is not within the document, and when there is nothing. */
function target(document: OpenApiDocument, { $ref }: Reference): unknown {
  let named: unknown;
  try {
    named = $ref.startsWith('#/components/') || $ref.startsWith('#/paths/') ? resolve(document, { $ref }) : undefined;
  } catch {
    // A step of it leads nowhere.
  }
  if (named === undefined) throw new Error(`'${$ref}' names nothing in it`);
  return named;
}

/** Throws unless the document has the form of OpenAPI 3.1 and each reference names a component of it. */
function check(document: OpenApiDocument): void {
  if (!isOpenApi(document)) {
    const { instancePath, message } = isOpenApi.errors![0]!;
    throw new Error(`${instancePath === '' ? 'the document' : instancePath} ${message}`);
  }
  eachReference(document, (reference) => target(document, reference));
}

/** The components that the operations need, by kind and name: the messages of the event stream are of no use here. */
function neededComponents(document: OpenApiDocument): Components {
  const needed: Components = {};
  const add = (reference: Reference): void => {
    const [, section, kind = '', name = ''] = reference.$ref.split('/');
    if (section !== 'components') return;
    const ofKind = (needed[kind] ??= {});
    if (Object.hasOwn(ofKind, name)) return;
    ofKind[name] = target(document, { $ref: `#/components/${kind}/${name}` });
    eachReference(ofKind[name], add);
  };
  eachReference(document.paths, add);
  return needed;
}

/** Operations of static paths come first, as the validator takes the first path that fits. */
function routes({ paths }: OpenApiDocument): Spec['routes'] {
  const isTemplate = (path: string): number => (path.includes('{') ? 1 : 0);
  return Object.keys(paths)
    .toSorted((one, other) => isTemplate(one) - isTemplate(other))
    .flatMap((path) =>
      openApiMethods
        .filter((method) => paths[path]![method] !== undefined)
        .map((method) => ({
          basePath: '',
          expressRoute: path.replace(/\{(\w+)\}/g, ':$1'),
          openApiRoute: path,
          method: method.toUpperCase(),
          pathParams: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
        })),
    );
}

let made = 0;

/** The document as the validator takes it, which changes its copy. Throws an Error that says what is wrong with the document. */
export function validatorSpec(document: OpenApiDocument): Spec {
  check(document);
  const { openapi, info, paths } = document;
  const apiDoc = structuredClone({ openapi, info, paths, components: neededComponents(document) });
  return {
    apiDoc: apiDoc as unknown as Spec['apiDoc'],
    basePaths: [''],
    routes: routes(document),
    serial: (made += 1),
  };
}
