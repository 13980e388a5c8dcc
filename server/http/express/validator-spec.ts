/**
 * Creates the input of express-openapi-validator from a document. Its own loader compiles the schema of OpenAPI and
 * looks for references to other files at each start, which takes longer than the rest of the start. Here the schema is
 * compiled in advance, and there are no other files.
 */
import { isObject } from '../../text/object.ts';
import { hasPlainBody, hasPlainParameters, isPlainSchema } from './plain-parts.ts';
import { isOpenApi } from '../../../generated/openapi-schema.js';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { openApiMethods, resolve } from '../../contract/operation-table.ts';
import type { Spec } from './validator-library.ts';
import { operationMetadata, type OperationMetadata } from '../../contract/openapi.ts';
import { bySpecificity, expressPath, parametersOfPath } from '../../contract/path-template.ts';

type Reference = { readonly $ref: string };
type Components = Record<string, Record<string, unknown>>;

/** Calls `visit` with each reference in a value. */
function eachReference(value: unknown, visit: (reference: Reference) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('$ref' in value && typeof value.$ref === 'string') visit({ $ref: value.$ref });
  for (const member of Object.values(value)) eachReference(member, visit);
}

/** Resolves a reference. Throws when it points outside the document or to nothing. */
function target(document: OpenApiDocument, { $ref }: Reference): unknown {
  let value: unknown;
  try {
    value = $ref.startsWith('#/components/') || $ref.startsWith('#/paths/') ? resolve(document, { $ref }) : undefined;
  } catch {
    // A segment of the reference does not exist.
  }
  if (value === undefined) throw new Error(`'${$ref}' has no target`);
  return value;
}

/** Throws unless the document conforms to OpenAPI 3.1 and each reference points to a component of it. */
function check(document: OpenApiDocument): void {
  if (!isOpenApi(document)) {
    const { instancePath = '', message = 'is not valid' } = isOpenApi.errors?.[0] ?? {};
    throw new Error(`${instancePath === '' ? 'the document' : instancePath} ${message}`);
  }
  eachReference(document, (reference) => target(document, reference));
}

/** The components that the operations use, by kind and name; messages of the event stream are left out. */
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

/** The routes of the operations; specific paths come first, because the validator uses the first path that matches. */
function routes({ paths }: OpenApiDocument): Spec['routes'] {
  return Object.entries(paths)
    .toSorted(([first], [second]) => bySpecificity(first, second))
    .flatMap(([path, item]) =>
      openApiMethods
        .filter((method) => item[method] !== undefined)
        .map((method) => ({
          basePath: '',
          expressRoute: expressPath(path),
          openApiRoute: path,
          method: method.toUpperCase(),
          pathParams: parametersOfPath(path),
        })),
    );
}

/** The responses with the schemas that the validator knows; it accepts any body for the others. */
function plainResponses(document: OpenApiDocument, responses: unknown): unknown {
  const entries = Object.entries(isObject(responses) ? responses : {}).map(([key, described]) => {
    const { content, ...response } = resolve<Record<string, unknown>>(document, described as Record<string, unknown>);
    const media = Object.entries(isObject(content) ? content : {}).map(([type, value]) => {
      const schema = isObject(value) ? value.schema : undefined;
      const isKnown = type === 'application/json' && isPlainSchema(document, schema, true);
      return [type, { schema: isKnown ? schema : {} }];
    });
    return [
      key,
      { ...response, headers: {}, links: {}, ...(media.length > 0 && { content: Object.fromEntries(media) }) },
    ];
  });
  return Object.fromEntries(entries);
}

/** An operation with the parts that the validator reads right. */
function plainOperation(document: OpenApiDocument, metadata: OperationMetadata, operation: object): object {
  const {
    requestBody: _body,
    responses,
    callbacks: _callbacks,
    parameters,
    ...rest
  } = operation as Record<string, unknown>;
  const body = metadata.requestBody;
  return {
    ...rest,
    ...(hasPlainParameters(document, metadata)
      ? parameters !== undefined && { parameters }
      : { 'x-eov-allow-unknown-query-parameters': true }),
    ...(body !== undefined &&
      hasPlainBody(document, body) && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: body.content.get('application/json')?.schema } },
        },
      }),
    responses: plainResponses(document, responses),
  };
}

/** The paths with the parts of the operations that the validator reads right. */
function plainPaths(document: OpenApiDocument): OpenApiDocument['paths'] {
  const paths = structuredClone(document.paths) as Record<string, Record<string, unknown>>;
  for (const metadata of Object.values(operationMetadata(document))) {
    const { path, method } = metadata.entry;
    const operation = document.paths[path]?.[method];
    if (operation !== undefined) paths[path]![method] = plainOperation(document, metadata, operation);
  }
  return paths as OpenApiDocument['paths'];
}

let lastSerial = 0;

/**
 * Creates the input of the validator, with a copy of the document because the validator changes it. Throws an Error
 * that names the problem of an invalid document. `isValid`: whether it is known to be valid.
 */
export function validatorSpec(document: OpenApiDocument, isValid = false): Spec {
  if (!isValid) check(document);
  const { openapi, info } = document;
  const paths = plainPaths(document);
  const apiDoc = structuredClone({ openapi, info, paths, components: neededComponents({ ...document, paths }) });
  return {
    apiDoc: apiDoc as unknown as Spec['apiDoc'],
    basePaths: [''],
    routes: routes(document),
    serial: (lastSerial += 1),
  };
}
