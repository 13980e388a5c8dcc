/**
 * Derives the contract for code generators: OpenAPI 3.0, one security scheme, and only the components that operations
 * use.
 *
 * The version is OpenAPI 3.0 because every generator supports it fully: older releases of oapi-codegen reject `null` as
 * a type, and openapi-generator calls its support of 3.1 a beta. There is one scheme because generated clients send the
 * key in every scheme of an operation, and the server rejects a key that is sent twice. Constraints that OpenAPI 3.0
 * cannot express are left out, so the derived document never accepts less.
 */
import { withoutCsvOfLists } from './item-columns.ts';
import { openApiMethods } from './plain-document.ts';
import { isObject, hasMembers } from '../text/object.ts';

type Json = Record<string, unknown>;
const mapObject = (value: unknown, change: (inner: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([key, inner]) => [key, change(inner, key)]));
const isExtension = (keyword: string): boolean => keyword.startsWith('x-');

/** The value at a local reference such as `#/components/schemas/Id`; undefined if it points to nothing. */
function target(document: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  const segments = reference
    .slice(2)
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
  return segments.reduce<unknown>(
    (current, segment) => (hasMembers(current) && Object.hasOwn(current, segment) ? current[segment] : undefined),
    document,
  );
}

/** The keywords with the same meaning in OpenAPI 3.0 whose values contain no schema. */
const sharedKeywords = new Set([
  'title',
  'description',
  'format',
  'default',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
  'multipleOf',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
  'discriminator',
  'minimum',
  'maximum',
]);

/** `exclusiveMinimum` and `exclusiveMaximum` are flags beside `minimum` and `maximum` in OpenAPI 3.0. */
function boundsOf(schema: Json): Json {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const bounds: Json = {};
  if (typeof exclusiveMinimum === 'number' && !(typeof minimum === 'number' && minimum > exclusiveMinimum))
    Object.assign(bounds, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  if (typeof exclusiveMaximum === 'number' && !(typeof maximum === 'number' && maximum < exclusiveMaximum))
    Object.assign(bounds, { maximum: exclusiveMaximum, exclusiveMaximum: true });
  return bounds;
}

/** `type`, `enum` and `const`: OpenAPI 3.0 has one type, `nullable` and no constants. */
function valuesOf(schema: Json): Json {
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  const [firstType, ...otherTypes] = types.filter((type) => type !== 'null');
  const allowedValues = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  const nullable = types.includes('null') || (types.length === 0 && allowedValues?.includes(null) === true);
  return {
    ...(allowedValues !== undefined
      ? { enum: allowedValues }
      : firstType === undefined && nullable
        ? { enum: [null] }
        : {}),
    ...(firstType !== undefined && otherTypes.length === 0 && { type: firstType }),
    ...(nullable && { nullable }),
  };
}

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null';

/**
 * Converts the parts of a document. `inlined` lists the references that are being inlined, so that a circular reference
 * ends.
 */
class Converter {
  readonly #document: Json;
  constructor(document: Json) {
    this.#document = document;
  }

  /** Converts a Schema Object; a boolean schema becomes one that accepts every value or none. */
  schema(schema: unknown, inlined: readonly string[] = []): Json {
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return {};
    const inner = (value: unknown): Json => this.schema(value, inlined);
    const converted: Json = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (sharedKeywords.has(keyword) || isExtension(keyword)) converted[keyword] = value;
    }
    Object.assign(converted, boundsOf(schema), valuesOf(schema));
    if (schema.example === undefined && Array.isArray(schema.examples) && schema.examples.length > 0)
      converted.example = schema.examples[0];
    if (schema.contentEncoding === 'base64') converted.format ??= 'byte';
    if (isObject(schema.properties)) converted.properties = mapObject(schema.properties, inner);
    this.#required(converted);
    if ('additionalProperties' in schema)
      converted.additionalProperties =
        typeof schema.additionalProperties === 'boolean'
          ? schema.additionalProperties
          : inner(schema.additionalProperties);
    // In OpenAPI 3.0 the properties that `patternProperties` accepts would count as additional.
    if ('patternProperties' in schema) delete converted.additionalProperties;
    if (converted.type === 'array')
      converted.items = 'prefixItems' in schema || schema.items === false ? {} : inner(schema.items);
    if (schema.items === false && !('prefixItems' in schema)) converted.maxItems = 0;
    if ('not' in schema) converted.not = inner(schema.not);
    this.#combinations(schema, converted, inner);
    return typeof schema.$ref === 'string' ? this.#reference(schema.$ref, converted, inlined) : converted;
  }

  /**
   * Makes a member that is an object or null optional. The Java clients of openapi-generator read every required object, and fail on null.
   */
  #required(converted: Json): void {
    const { required, properties } = converted;
    if (!Array.isArray(required) || !isObject(properties)) return;
    const demanded = required.filter((name: string) => {
      const member = properties[name];
      return !isObject(member) || member.nullable !== true || member.allOf === undefined;
    });
    if (demanded.length > 0) converted.required = demanded;
    else delete converted.required;
  }

  /**
   * Converts `allOf`, `anyOf` and `oneOf`; an alternative of the type null becomes `nullable`. Several types become
   * alternatives.
   */
  #combinations(schema: Json, converted: Json, inner: (value: unknown) => Json): void {
    if (Array.isArray(schema.allOf)) converted.allOf = schema.allOf.map(inner);
    for (const keyword of ['anyOf', 'oneOf']) {
      const alternatives = schema[keyword];
      if (!Array.isArray(alternatives)) continue;
      const others = alternatives.filter((alternative) => !isNull(alternative));
      if (others.length < alternatives.length) converted.nullable = true;
      if (others.length === 0) converted.enum = [null];
      else if (others.length === 1 && others.length < alternatives.length && converted.allOf === undefined)
        converted.allOf = others.map(inner);
      else converted[keyword] = others.map(inner);
    }
    const types = [schema.type].flat().filter((type) => typeof type === 'string' && type !== 'null');
    if (types.length > 1 && converted.anyOf === undefined && converted.enum === undefined)
      converted.anyOf = types.map((type) => ({ type, ...(type === 'array' && { items: {} }) }));
  }

  /**
   * Converts a reference. Where other keywords accompany it, the reference moves into `allOf`, because OpenAPI 3.0
   * ignores keywords beside `$ref`.
   */
  #reference($ref: string, siblings: Json, inlined: readonly string[]): Json {
    const canStay = /^#\/components\/schemas\/[^/]+$/.test($ref) || !$ref.startsWith('#');
    const referenced = canStay
      ? { $ref }
      : inlined.includes($ref)
        ? {}
        : this.schema(target(this.#document, $ref), [...inlined, $ref]);
    if (Object.keys(siblings).length === 0) return referenced;
    return { ...siblings, allOf: [referenced, ...(Array.isArray(siblings.allOf) ? (siblings.allOf as Json[]) : [])] };
  }

  /** Returns a component reference without the keywords that OpenAPI 3.1 allows beside it, or the converted object. */
  #part(value: unknown, convert: (part: Json) => Json): unknown {
    if (!isObject(value)) return value;
    return typeof value.$ref === 'string' ? { $ref: value.$ref } : convert(value);
  }

  /** Converts an object with a schema or content: parameters, headers and media types. */
  holder(holder: Json): Json {
    const { schema, content, encoding, examples } = holder;
    return {
      ...holder,
      ...(schema !== undefined && { schema: this.schema(schema) }),
      ...(content !== undefined && {
        content: mapObject(content, (media) => this.holder(isObject(media) ? media : {})),
      }),
      ...(examples !== undefined && {
        examples: mapObject(examples, (example) => this.#part(example, (part) => part)),
      }),
      ...(encoding !== undefined && {
        encoding: mapObject(encoding, (part) => (isObject(part) ? this.response(part) : part)),
      }),
    };
  }

  /** Converts an object with headers, content and links: responses. */
  response(response: Json): Json {
    const { headers, links } = response;
    return {
      ...this.holder(response),
      ...(headers !== undefined && {
        headers: mapObject(headers, (header) => this.#part(header, (part) => this.holder(part))),
      }),
      ...(links !== undefined && { links: mapObject(links, (link) => this.#part(link, (part) => part)) }),
    };
  }

  parameters(parameters: unknown): unknown[] {
    return Array.isArray(parameters)
      ? parameters.map((parameter) => this.#part(parameter, (part) => this.holder(part)))
      : [];
  }

  operation(operation: Json, scheme: string | undefined): Json {
    const { parameters, requestBody, responses, callbacks, security } = operation;
    return {
      ...operation,
      ...(parameters !== undefined && { parameters: this.parameters(parameters) }),
      ...(requestBody !== undefined && { requestBody: this.#part(requestBody, (part) => this.holder(part)) }),
      // OpenAPI 3.0 requires `responses`.
      responses: isObject(responses)
        ? mapObject(responses, (response) => this.#part(response, (part) => this.response(part)))
        : { default: { description: '' } },
      ...(callbacks !== undefined && {
        callbacks: mapObject(callbacks, (callback) => this.#part(callback, (part) => this.callback(part, scheme))),
      }),
      ...(security !== undefined && { security: securityBy(security, scheme) }),
    };
  }

  callback(callback: Json, scheme: string | undefined): Json {
    return mapObject(callback, (item, key) => (isExtension(key) ? item : this.pathItem(item, scheme)));
  }

  /** Converts a path item. A reference to a path component is inlined, because OpenAPI 3.0 has no path components. */
  pathItem(item: unknown, scheme: string | undefined, seen: readonly string[] = []): Json {
    if (!isObject(item)) return {};
    const { $ref, ...own } = item;
    if (typeof $ref === 'string' && $ref.startsWith('#') && !seen.includes($ref)) {
      const referenced = target(this.#document, $ref);
      return this.pathItem({ ...(isObject(referenced) ? referenced : {}), ...own }, scheme, [...seen, $ref]);
    }
    return mapObject(own, (value, key) => {
      if (key === 'parameters') return this.parameters(value);
      return (openApiMethods as readonly string[]).includes(key)
        ? this.operation(isObject(value) ? value : {}, scheme)
        : value;
    });
  }

  /** Converts a component of a section; undefined for a section that OpenAPI 3.0 does not have. */
  component(section: string, value: unknown, scheme: string | undefined): unknown {
    switch (section) {
      case 'schemas':
        return this.schema(value);
      case 'responses':
        return this.#part(value, (part) => this.response(part));
      case 'parameters':
      case 'headers':
      case 'requestBodies':
        return this.#part(value, (part) => this.holder(part));
      case 'callbacks':
        return this.#part(value, (part) => this.callback(part, scheme));
      case 'examples':
      case 'links':
        return this.#part(value, (part) => part);
      default:
        return undefined;
    }
  }
}

/**
 * Converts security requirements: any required key becomes the one scheme, and an optional key stays optional. API keys
 * have no roles in OpenAPI 3.0.
 */
function securityBy(security: unknown, scheme: string | undefined): Json[] {
  const requirements = Array.isArray(security) ? security.filter(isObject) : [];
  const optional = requirements.filter((requirement) => Object.keys(requirement).length === 0);
  return scheme === undefined || requirements.length === optional.length ? optional : [{ [scheme]: [] }, ...optional];
}

/** Chooses the scheme of the key in a header, because headers are not logged; else the first scheme. */
function chosenScheme(schemes: Json): string | undefined {
  const names = Object.keys(schemes);
  const inHeader = names.find((name) => {
    const scheme = schemes[name];
    return isObject(scheme) && scheme.type === 'apiKey' && scheme.in === 'header';
  });
  return inHeader ?? names[0];
}

/** All references in a value, such as `#/components/schemas/Id`. */
function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') yield inner;
    else yield* referencesIn(inner);
  }
}

/** The components that the paths use directly or indirectly; schemas of WebSocket messages are not among them. */
function usedComponents(converter: Converter, paths: Json, components: Json, scheme: string | undefined): Json {
  const used: Record<string, Json> = {};
  const queue = [...referencesIn(paths)];
  for (let reference = queue.pop(); reference !== undefined; reference = queue.pop()) {
    const [, section = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)/.exec(reference) ?? [];
    const parts = components[section];
    if (!isObject(parts) || !Object.hasOwn(parts, name) || (used[section] && Object.hasOwn(used[section], name)))
      continue;
    const converted = converter.component(section, parts[name], scheme);
    if (converted === undefined) continue;
    (used[section] ??= {})[name] = converted;
    queue.push(...referencesIn(converted));
  }
  // In the order of the document, independent of the order of the references.
  const inOrder = (section: string): Json => mapObject(components[section], (_, name) => used[section]![name]);
  return Object.fromEntries(
    Object.keys(components)
      .filter((section) => used[section] !== undefined)
      .map((section) => [
        section,
        Object.fromEntries(Object.entries(inOrder(section)).filter(([, value]) => value !== undefined)),
      ]),
  );
}

/** Derives the document for code generators from the contract. */
export function generatorDocument(contract: object): Json {
  const document = withoutCsvOfLists(contract as Json);
  const { info, servers, tags, externalDocs, security, paths } = document;
  const components = isObject(document.components) ? document.components : {};
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {};
  const scheme = chosenScheme(schemes);
  const { summary: _, license, ...convertedInfo } = isObject(info) ? info : {};
  const { identifier: __, ...licence } = isObject(license) ? license : {};
  const converter = new Converter(document);
  const convertedPaths = mapObject(paths, (item, path) =>
    isExtension(path) ? item : converter.pathItem(item, scheme),
  );
  return {
    openapi: '3.0.3',
    info: { ...convertedInfo, ...(license !== undefined && { license: licence }) },
    ...(externalDocs !== undefined && { externalDocs }),
    ...(servers !== undefined && { servers }),
    ...(tags !== undefined && { tags }),
    ...(security !== undefined && { security: securityBy(security, scheme) }),
    paths: convertedPaths,
    components: {
      ...(scheme !== undefined && { securitySchemes: { [scheme]: schemes[scheme] } }),
      ...usedComponents(converter, convertedPaths, components, scheme),
    },
  };
}
