/** A call of each operation that has all it needs, by the examples of the contract, or else by values of its schemas. */
import {
  operationMetadata,
  type Media,
  type OpenApiDocument,
  type OperationMetadata,
} from '../../server/contract/openapi.ts';
import { isFrameRequestHeader } from '../../server/contract/frame-headers.ts';
import { isMediaRange } from '../../server/contract/media-type.ts';
import { normaliseDocument, resolve } from '../../server/contract/plain-document.ts';
import { formMembers, isJsonMember } from '../../server/contract/form-body.ts';
import { isObject } from '../../server/contract/values.ts';
import { escapeKey } from './files/pointer.ts';
import { schemaAt } from './arbitrary/schema.ts';
import { createValues, type Values } from './mock/values.ts';
import { directedDocument } from './verify/directed.ts';
import { writtenValue } from '../../server/contract/written-value.ts';

type Json = Readonly<Record<string, unknown>>;

/** The values of a call, as a handler gets them; a file is a `File`, other bytes are a `Blob`. */
export interface CallValues {
  readonly path?: Json;
  readonly query?: Json;
  readonly headers?: Json;
  readonly cookies?: Json;
  readonly body?: unknown;
  /** The media type of the body; by default the first one of the contract. */
  readonly contentType?: string | undefined;
}

/** What each file of a call contains. */
export const fileContent = 'the content of a file';

interface Described {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
  readonly schema?: unknown;
  readonly content?: Readonly<Record<string, Described>>;
}
type Operation = Json & {
  readonly parameters?: readonly Described[];
  readonly requestBody?: { readonly content?: Json };
};

/** The example of a parameter or a body; undefined where there is none. */
function exampleOf(document: object, { example, examples = {} }: Pick<Described, 'example' | 'examples'>): unknown {
  const [first] = Object.values(examples);
  return example ?? (first === undefined ? undefined : resolve<{ value?: unknown }>(document, first as object).value);
}

/** The document with the parameters and the request bodies of its operations in place, as requests have them. */
function requestDocument(contract: OpenApiDocument): OpenApiDocument {
  const document = normaliseDocument(contract);
  const inPlace = (operation: unknown): unknown => {
    if (!isObject(operation)) return operation;
    const { parameters = [], requestBody } = operation as { parameters?: object[]; requestBody?: object };
    return {
      ...operation,
      parameters: parameters.map((each) => resolve<object>(document, each)),
      ...(requestBody !== undefined && { requestBody: resolve<object>(document, requestBody) }),
    };
  };
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, inPlace(operation)])),
  ]);
  return directedDocument({ ...document, paths: Object.fromEntries(paths) }, 'request') as OpenApiDocument;
}

/** The calls of the operations of a contract. */
export class ExampleCalls {
  readonly #document: OpenApiDocument;
  readonly #metadata: Readonly<Record<string, OperationMetadata>>;
  readonly #values: Values;

  constructor(contract: OpenApiDocument) {
    this.#document = requestDocument(contract);
    this.#metadata = operationMetadata(contract);
    this.#values = createValues(this.#document, 1);
  }

  /** The call of an operation, with its required parameters, one of those of which it needs one, and its body. */
  of(id: string): CallValues {
    const metadata = this.#metadataOf(id);
    const { path, method, exactlyOneOf } = metadata.entry;
    const operation = this.#document.paths[path]![method] as unknown as Operation;
    const pointer = `/paths/${escapeKey(path)}/${method}`;
    const needs = ({ name, required = false }: Described): boolean => required || name === exactlyOneOf[0];
    const inPlace = (place: string): Json | undefined => {
      const found = (operation.parameters ?? []).flatMap((parameter, index): [string, unknown][] => {
        if (parameter.in !== place || !needs(parameter)) return [];
        if (place === 'header' && isFrameRequestHeader(parameter.name)) return [];
        return [[parameter.name, this.#valueOf(parameter, `${pointer}/parameters/${index}`)]];
      });
      return found.length === 0 ? undefined : Object.fromEntries(found);
    };
    const places = { path: inPlace('path'), query: inPlace('query'), headers: inPlace('header') };
    const call = { ...places, cookies: inPlace('cookie'), ...this.#bodyOf(metadata, operation, pointer) };
    return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
  }

  /** The request of a call: its target, method, headers and body, without a credential. */
  requestOf(
    id: string,
    call: CallValues,
  ): { readonly target: string; readonly init: RequestInit & { headers: Record<string, string> } } {
    const metadata = this.#metadataOf(id);
    const { entry, parameters, pathParameters, headerParameters, cookieParameters } = metadata;
    const written = (known: OperationMetadata['parameters'], values: Json = {}): [string, string][] =>
      Object.entries(values).map(([name, value]) => {
        const parameter = known.get(name) ?? known.get(name.toLowerCase());
        if (parameter === undefined) return [name, `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
        return [parameter.name, writtenValue(parameter, value)];
      });
    const path = written(pathParameters, call.path).reduce(
      (target, [name, text]) => target.replace(`{${name}}`, () => text),
      entry.path,
    );
    const query = written(parameters, call.query)
      .map(([, text]) => text)
      .filter((text) => text !== '');
    const cookies = written(cookieParameters, call.cookies).map(([, text]) => text);
    const { type, body } = this.#sentBody(metadata, call);
    return {
      target: query.length === 0 ? path : `${path}?${query.join('&')}`,
      init: {
        method: entry.method.toUpperCase(),
        headers: {
          ...Object.fromEntries(written(headerParameters, call.headers)),
          ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
          ...(type !== undefined && { 'content-type': type }),
        },
        ...(body !== undefined && { body }),
      },
    };
  }

  #metadataOf(id: string): OperationMetadata {
    const metadata = this.#metadata[id];
    if (metadata === undefined) throw new Error(`the contract has no operation ${id}`);
    return metadata;
  }

  /** The example of a parameter or a body, or else a value of its schema; undefined where there is none. */
  #valueOf(described: Pick<Described, 'schema' | 'content' | 'example' | 'examples'>, pointer: string): unknown {
    const [[type, media] = []] = Object.entries(described.content ?? {});
    if (type !== undefined && media !== undefined)
      return exampleOf(this.#document, described) ?? this.#valueOf(media, `${pointer}/content/${escapeKey(type)}`);
    const example = exampleOf(this.#document, described) ?? this.#exampleOfSchema(described.schema);
    if (example !== undefined || described.schema === undefined) return example;
    return this.#values.make(schemaAt(this.#document, `${pointer}/schema`), pointer, () => undefined);
  }

  #exampleOfSchema(described: unknown): unknown {
    const schema = resolve<unknown>(this.#document, described as object);
    if (!isObject(schema)) return undefined;
    return schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined) ?? schema.default;
  }

  #bodyOf(
    { requestBody }: OperationMetadata,
    operation: Operation,
    pointer: string,
  ): Pick<CallValues, 'body' | 'contentType'> {
    const all = [...(requestBody?.content.values() ?? [])];
    const media = all.find(({ kind }) => kind === 'json') ?? all[0];
    if (media === undefined) return {};
    const { mediaType, kind } = media;
    const described = operation.requestBody?.content?.[mediaType] as Described;
    const at = `${pointer}/requestBody/content/${escapeKey(mediaType)}`;
    const value = kind === 'binary' ? new Blob([fileContent]) : this.#valueOf(described, at);
    const body =
      kind === 'multipart' ? this.#withFiles(media, value) : kind === 'text' ? String(value ?? 'a text') : value;
    return { body, ...(all.length > 1 && { contentType: mediaType }) };
  }

  /** A form with a file in place of each member that is one. */
  #withFiles(media: Media, value: unknown): Json {
    const { required } = isObject(media.schema) ? resolve<Json>(this.#document, media.schema) : {};
    const given = isObject(value) ? value : {};
    const isNeeded = (name: string): boolean => name in given || (Array.isArray(required) && required.includes(name));
    const files = [...formMembers(this.#document, media).values()]
      .filter(({ isFile, name }) => isFile && isNeeded(name))
      .map(({ name, isList, encoding }) => {
        const [type = 'application/octet-stream'] = encoding?.contentType?.split(',') ?? [];
        const file = new File([fileContent], `${name}.bin`, {
          type: type.includes('*') ? 'application/octet-stream' : type.trim(),
        });
        return [name, isList ? [file] : file] as const;
      });
    return { ...given, ...Object.fromEntries(files) };
  }

  #sentBody({ requestBody }: OperationMetadata, call: CallValues): { type?: string | undefined; body?: BodyInit } {
    const { body } = call;
    const content = requestBody?.content;
    if (content === undefined || body === undefined) return {};
    const named = call.contentType ?? [...content.keys()][0]!;
    const media = content.get(named) ?? [...content.values()][0]!;
    const type = isMediaRange(named) || named === '*/*' ? 'application/octet-stream' : named;
    if (media.kind === 'json') return { type, body: JSON.stringify(body) };
    if (media.kind === 'multipart') return { body: this.#fieldsOf(media, body as Json, new FormData()) };
    if (media.kind === 'form') return { type, body: this.#fieldsOf(media, body as Json, new URLSearchParams()) };
    return { type, body: body as Blob | string };
  }

  #fieldsOf<Fields extends FormData | URLSearchParams>(media: Media, body: Json, fields: Fields): Fields {
    const members = formMembers(this.#document, media);
    for (const [name, value] of Object.entries(body)) {
      const member = members.get(name);
      const isJson = member !== undefined && !member.isFile && isJsonMember(member);
      const type = member?.encoding?.contentType;
      for (const each of Array.isArray(value) && !(isJson && type !== undefined) ? value : [value]) {
        const text = isJson ? JSON.stringify(each) : each;
        const part =
          isJson && type !== undefined && fields instanceof FormData ? new Blob([text as string], { type }) : text;
        fields.append(name, (part instanceof Blob ? part : String(part)) as string);
      }
    }
    return fields;
  }
}
