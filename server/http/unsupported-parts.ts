/**
 * The parts of OpenAPI 3.1 that the server does not support. `npm run generate` refuses a contract with one of them and names its place, and
 * the server does not start with it: a contract is never served in half.
 */
import { authenticators as registered } from '../authenticators.ts';
import { isObject } from '../text/object.ts';
import { isChecked } from '../contract/checked-contract.ts';
import { errorForm, frameStatuses } from '../contract/error-form.ts';
import { isIgnoredHeader } from '../contract/frame-headers.ts';
import { mediaKind, mediaTypeOf, type MediaKind } from '../contract/media-type.ts';
import {
  operationMetadata,
  parameterOf,
  type OpenApiDocument,
  type OperationMetadata,
  type Parameter,
} from '../contract/openapi.ts';
import { isStructured, shapeOf } from '../contract/parameter-value.ts';
import { normaliseDocument, openApiMethods, resolve } from '../contract/plain-document.ts';
import type { Authenticator } from '../ports/authenticator.ts';
import { compilerWithin } from '../contract/schema-compiler.ts';
import { requirementsOf, securitySchemes } from '../contract/security-schemes.ts';
import { acceptedScheme } from './security.ts';
import { responseKeys } from '../contract/statuses.ts';

/** A part of a contract that is not carried, by its JSON Pointer, and what to do about it. */
export interface Refusal {
  readonly pointer: string;
  readonly message: string;
  readonly fix: string;
}

type Json = Record<string, unknown>;
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The kinds of bodies that the server cannot read, or cannot send, and what to write instead. */
const unreadable: Partial<Record<MediaKind, string>> = {
  'json-lines': 'describe an array in application/json, or take application/octet-stream.',
  'event-stream': 'describe an array in application/json, or take application/octet-stream.',
};
const unsendable: Partial<Record<MediaKind, string>> = {
  form: 'answer with application/json.',
  multipart: 'answer with application/json, or with one media type for each operation.',
};

function mediaRefusals(
  content: unknown,
  pointer: string,
  table: Partial<Record<MediaKind, string>>,
  verb: string,
): Refusal[] {
  return Object.keys(objectOf(content)).flatMap((name) => {
    const type = mediaTypeOf(name);
    const isOtherMultipart = type.startsWith('multipart/') && type !== 'multipart/form-data';
    const fix = isOtherMultipart ? 'take multipart/form-data, or application/octet-stream.' : table[mediaKind(name)];
    if (fix === undefined) return [];
    return [
      {
        pointer: `${pointer}/content/${escapeKey(name)}`,
        message: `the server cannot ${verb} a body in ${type}.`,
        fix,
      },
    ];
  });
}

const byContent = 'describe it by `content: { application/json: { schema: … } }`.';

/** Why a parameter, or a header of a response, cannot be read or written; undefined if it can. */
function parameterFault(document: object, parameter: Parameter): Omit<Refusal, 'pointer'> | undefined {
  const { name, in: place, style, explode, mediaType, schema } = parameter;
  if (mediaType !== undefined) {
    const kind = mediaKind(mediaType);
    const message = `'${name}' cannot be written in ${mediaType}.`;
    return kind === 'json' || kind === 'text' ? undefined : { message, fix: 'take application/json.' };
  }
  const shape = shapeOf(document, schema);
  const isObjectShape = shape.types.has('object');
  if (style === 'deepObject' && !isObjectShape)
    return { message: `'${name}' has the style deepObject, and is no object.`, fix: 'take the style form.' };
  if (!isStructured(shape)) return undefined;
  if (place === 'cookie' && explode)
    return {
      message: `the cookie '${name}' is a list or an object with explode, which no cookie can hold.`,
      fix: 'add `explode: false`.',
    };
  if (style.endsWith('Delimited') && explode && isObjectShape)
    return {
      message: `'${name}' is an object in the style ${style} with explode, which OpenAPI does not define.`,
      fix: 'add `explode: false`.',
    };
  const inner = [...shape.members].map((member) => shape.member(member));
  const items = shape.types.has('array') ? [shape.item(0)] : [];
  const isDeep = style === 'deepObject' ? inner.some(({ types }) => types.has('object')) : inner.some(isStructured);
  if (isDeep || items.some(isStructured))
    return {
      message: `'${name}' has lists or objects inside, which the style ${style} cannot express.`,
      fix: byContent,
    };
  return undefined;
}

/** An operation as the document has it, and where. */
interface Place {
  readonly document: OpenApiDocument;
  readonly path: string;
  readonly method: string;
  readonly pointer: string;
  readonly operation: Json;
  /** The item of the path, which can have shared parameters. */
  readonly item: Json;
}

function parameterRefusals({ document, path, operation, item, pointer }: Place): Refusal[] {
  const own = Array.isArray(operation.parameters) ? operation.parameters : [];
  const shared = Array.isArray(item.parameters) ? item.parameters : [];
  const listed = [
    ...own.map((described, index) => ({ described, at: `${pointer}/parameters/${index}` })),
    ...shared.map((described, index) => ({ described, at: `/paths/${escapeKey(path)}/parameters/${index}` })),
  ];
  return listed.flatMap(({ described, at }) => {
    const parameter = parameterOf(document, resolve(document, described as never));
    if (parameter.in === 'header' && isIgnoredHeader(parameter.name)) return [];
    const fault = parameterFault(document, parameter);
    return fault === undefined ? [] : [{ pointer: at, ...fault }];
  });
}

function methodRefusal({ method, operation, pointer }: Place): Refusal[] {
  if (method === 'head')
    return [{ pointer, message: 'the server itself answers HEAD wherever there is a GET.', fix: 'describe a GET.' }];
  if (method === 'trace')
    return [{ pointer, message: 'TRACE would return the key of the caller.', fix: 'delete the operation.' }];
  if (method === 'get' && operation.requestBody !== undefined)
    return [{ pointer: `${pointer}/requestBody`, message: 'a GET has no body.', fix: 'take parameters, or POST.' }];
  return [];
}

function bodyRefusals({ document, operation, pointer }: Place): Refusal[] {
  if (operation.requestBody === undefined) return [];
  const { content } = objectOf(resolve<unknown>(document, operation.requestBody as Json));
  const at = `${pointer}/requestBody`;
  if (Object.keys(objectOf(content)).length === 0)
    return [{ pointer: at, message: 'the body has no media type.', fix: 'name one under `content`.' }];
  return mediaRefusals(content, at, unreadable, 'read');
}

function responseRefusals({ document, operation, pointer }: Place): Refusal[] {
  return Object.entries(objectOf(operation.responses)).flatMap(([key, described]) => {
    const at = `${pointer}/responses/${key}`;
    if (key.startsWith('1'))
      return [{ pointer: at, message: `a handler cannot answer ${key}.`, fix: 'delete the response.' }];
    const { content, headers } = objectOf(resolve<unknown>(document, described as Json));
    const faults = Object.entries(objectOf(headers)).flatMap(([name, header]): Refusal[] => {
      const resolved = resolve<Json>(document, header as Json);
      const fault = parameterFault(document, parameterOf(document, { ...resolved, name, in: 'header' }));
      return fault === undefined ? [] : [{ pointer: `${at}/headers/${escapeKey(name)}`, ...fault }];
    });
    return [...mediaRefusals(content, at, unsendable, 'send'), ...faults];
  });
}

/** Security requirements that the server cannot check as they are: several schemes at once, and several or different scopes. */
function securityRefusals({ document, operation, pointer }: Place): Refusal[] {
  const at = operation.security === undefined ? '/security' : `${pointer}/security`;
  const requirements = requirementsOf(document, operation);
  const together = requirements.findIndex((each) => Object.keys(each).length > 1);
  if (together >= 0)
    return [
      {
        pointer: `${at}/${together}`,
        message: `the server cannot demand ${Object.keys(requirements[together]!).join(' and ')} together.`,
        fix: 'list the schemes as alternatives, each as an item of its own.',
      },
    ];
  const roles = requirements.flatMap((each) => Object.values(each).map((scopes) => scopes.join(' ')));
  const [scope = '', ...others] = new Set(roles);
  if (others.length === 0 && !scope.includes(' ')) return [];
  return [
    {
      pointer: at,
      message: 'the server demands one scope for an operation, the same for each security scheme.',
      fix: 'name the same scope in each alternative.',
    },
  ];
}

/** The security schemes that an operation demands, and that no authenticator accepts. */
function schemeRefusals(
  document: OpenApiDocument,
  places: readonly Place[],
  authenticators: readonly Authenticator[],
): Refusal[] {
  const schemes = securitySchemes(document);
  const used = new Map<string, string>();
  for (const { operation, pointer } of places)
    for (const [index, each] of requirementsOf(document, operation).entries())
      for (const name of Object.keys(each)) {
        const at = operation.security === undefined ? '/security' : `${pointer}/security`;
        if (!used.has(name)) used.set(name, `${at}/${index}/${escapeKey(name)}`);
      }
  return [...used].flatMap(([name, use]) => {
    const scheme = schemes.get(name);
    if (scheme === undefined)
      return [
        {
          pointer: use,
          message: `there is no security scheme '${name}'.`,
          fix: 'add it to components/securitySchemes.',
        },
      ];
    if (acceptedScheme(scheme, authenticators) !== undefined) return [];
    const kind = [scheme.type, scheme.scheme ?? (scheme.in && `in: ${scheme.in}`)].filter(Boolean).join(', ');
    const fix =
      scheme.type === 'mutualTLS'
        ? 'let the proxy check the certificates, and demand an API key.'
        : 'add one to server/authenticators.ts, or demand an API key (apiKey in a header or the query, http bearer).';
    return [
      {
        pointer: `/components/securitySchemes/${escapeKey(name)}`,
        message: `the server has no authenticator for the security scheme '${name}' (${kind}).`,
        fix,
      },
    ];
  });
}

/** The errors that the server sends itself, and whose schema it cannot fulfil. */
function errorRefusals(document: OpenApiDocument, metadata: readonly OperationMetadata[]): Refusal[] {
  const validators = new Map<string, ReturnType<ReturnType<typeof compilerWithin>>>();
  let compile: ReturnType<typeof compilerWithin> | undefined;
  const validator = (schema: object) => {
    const key = JSON.stringify(schema);
    const known = validators.get(key) ?? (compile ??= compilerWithin(document))(schema);
    validators.set(key, known);
    return known;
  };
  return metadata.flatMap(({ entry, responses }) =>
    [...responses.values()]
      .filter(({ key }) => frameStatuses.some((status) => responseKeys(status).includes(key)))
      .filter((response) => errorForm(document, response, validator) === undefined)
      .map(({ key }) => ({
        pointer: `/paths/${escapeKey(entry.path)}/${entry.method}/responses/${key}`,
        message: `the server answers ${key} itself, and cannot write an error that its schema allows.`,
        fix: 'take a schema with a text for the message, such as { error: … } or problem details (RFC 9457).',
      })),
  );
}

const unsupportedKeywords = ['$dynamicRef', '$dynamicAnchor', '$id', '$anchor'];

/** The schemas with keywords that give them an address of their own. */
function keywordRefusals(value: unknown, pointer = '', name = ''): Refusal[] {
  if (typeof value !== 'object' || value === null || ['example', 'examples', 'default', 'const', 'enum'].includes(name))
    return [];
  const own =
    isObject(value) && name !== 'properties'
      ? unsupportedKeywords.filter((keyword) => typeof value[keyword] === 'string')
      : [];
  return [
    ...own.map((keyword) => ({
      pointer: `${pointer}/${keyword}`,
      message: `${keyword} gives a schema another address, by which the tools do not find it.`,
      fix: 'move the schema to components/schemas, and refer to it by `$ref`.',
    })),
    ...Object.entries(value).flatMap(([key, inner]) => keywordRefusals(inner, `${pointer}/${escapeKey(key)}`, key)),
  ];
}

/**
 * The parts of a contract that the server does not carry. `authenticators`: those in addition to the API keys. Of a contract that `npm run generate` has
 * checked, only its security schemes are compared with them. The document must conform to OpenAPI, and its references must have targets.
 */
export function refusals(contract: OpenApiDocument, authenticators: readonly Authenticator[] = registered): Refusal[] {
  const document = normaliseDocument(contract);
  const places = Object.entries(objectOf(document.paths)).flatMap(([path, operations]) =>
    Object.entries(objectOf(operations))
      .filter(([method, operation]) => (openApiMethods as readonly string[]).includes(method) && isObject(operation))
      .map(([method]): Place => {
        const described = objectOf(contract.paths[path]);
        const item = typeof described.$ref === 'string' ? objectOf(resolve<unknown>(contract, described)) : described;
        const pointer = `/paths/${escapeKey(path)}/${method}`;
        return { document, path, method, pointer, operation: objectOf(item[method]), item };
      }),
  );
  const ofSchemes = schemeRefusals(document, places, authenticators);
  if (isChecked(contract)) return ofSchemes;
  const found = [
    ...keywordRefusals({ paths: contract.paths, components: { schemas: objectOf(contract.components).schemas } }),
    ...places.flatMap((place) => [
      ...methodRefusal(place),
      ...parameterRefusals(place),
      ...bodyRefusals(place),
      ...responseRefusals(place),
      ...securityRefusals(place),
    ]),
    ...ofSchemes,
  ];
  if (found.length > 0) return found;
  return errorRefusals(document, Object.values(operationMetadata(document)));
}

/** Throws for a contract that cannot be served as a whole. */
export function refuseUnsupported(contract: OpenApiDocument, authenticators?: readonly Authenticator[]): void {
  const [refusal] = refusals(contract, authenticators);
  if (refusal !== undefined)
    throw new Error(`the contract cannot be served: ${refusal.pointer}: ${refusal.message} Fix: ${refusal.fix}`);
}
