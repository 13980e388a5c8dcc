/** Creates the responses of the mock: the example that the caller prefers, or values generated from the schema. */
import { badRequest, ServiceError } from '../../../server/contract/service-error.ts';
import type { OperationId } from '../../../server/contract/operations.ts';
import type { DocumentWithOperations } from '../../../server/contract/operation-table.ts';
import { methods } from '../../../server/contract/plain-document.ts';
import { preferredOf } from '../../../server/contract/media-preference.ts';
import { headerText } from '../../../server/contract/parameter-value.ts';
import { isObject, suggestion } from '../../../server/contract/values.ts';
import { follow, satisfies, schemaAt, within, type Json, type SchemaNode } from '../arbitrary/schema.ts';
import { DeclaredAnswers, declaredAnswers, isJson, shownValues, type Declared } from './examples.ts';
import { mockCursors, pageOf, type List, type ListQuery } from './list.ts';
import type { Preference } from './prefer.ts';
import { isStream } from '../verify/stream-items.ts';
import { createValues, type Known } from './values.ts';

/** A response before serialization. */
export interface MockAnswer {
  readonly status: number;
  /** The headers that the document declares. */
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  /** Undefined for a response without a body. That of a stream is the list of its items. */
  readonly body: unknown;
  /** The applied preferences, in the syntax of `Preference-Applied` (RFC 7240). */
  readonly applied: readonly string[];
}

/** Options for the content of responses. */
export interface AnswerOptions {
  readonly seed: number;
  /** The number of items of each list; undefined: as many as the example implies. */
  readonly items: number | undefined;
}

/** The number of items of a generated list. */
const generatedItems = 30;
/** The number of items of a stream. */
const streamedItems = 3;
/** The number of generated candidates for the id of an item. */
const idAttempts = 5;
/** The number of pages after an example page with `has_next_page: true`. */
const furtherPages = 1;

/** A body as the document describes it. */
interface Content {
  readonly status: number;
  readonly schema?: SchemaNode | undefined;
  readonly examples: ReadonlyMap<string, unknown>;
}
/** The body in the media type that a request accepts best; undefined for a response without one. */
function bodyOf({ bodies }: Declared, accept: string | undefined): Declared['bodies'][number] | undefined {
  const preferred = preferredOf(
    bodies.map(({ mediaType }) => mediaType),
    accept,
  );
  return bodies.find(({ mediaType }) => mediaType === preferred);
}

interface Mocked {
  readonly declared: DeclaredAnswers;
  /** The member of a page that holds its items. */
  readonly items: string | undefined;
}

/** The declared responses of each operation of the document. */
function mockedOperations(document: DocumentWithOperations): Map<string, Mocked> {
  return new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      methods.flatMap((method): [string, Mocked][] => {
        const operation = item[method] as { operationId?: string; 'x-items'?: string } | undefined;
        if (operation === undefined) return [];
        const id = operation.operationId ?? `${method.toUpperCase()} ${path}`;
        return [[id, { declared: declaredAnswers(document, path, method), items: operation['x-items'] }]];
      }),
    ),
  );
}

const noValue = (what: string): ServiceError =>
  new ServiceError(500, `the mock could not make a value for ${what}: give it an example in the spec`);

/** The schema of a member of an object, and of the items of a list. */
const memberOf = (document: object, place: SchemaNode | undefined, name: string): SchemaNode | undefined => {
  const member = place?.schema.properties?.[name];
  return place === undefined || member === undefined
    ? undefined
    : follow(document, within(place, member, 'properties', name));
};
const itemsOf = (document: object, place: SchemaNode | undefined): SchemaNode | undefined =>
  place?.schema.items === undefined ? undefined : follow(document, within(place, place.schema.items, 'items'));

/** The source of the values of a response. */
interface Source {
  /** The unique name of the response; it seeds the generator. */
  readonly name: string;
  /** Undefined where values are generated. */
  readonly example: unknown;
  readonly known: Known;
}

const nothing: Known = () => undefined;

/** Creates the responses of a document. Reads all examples of the document once. */
export class Answerer {
  readonly #document: DocumentWithOperations;
  readonly #itemCount: number | undefined;
  readonly #operations: ReadonlyMap<string, Mocked>;
  readonly #values: ReturnType<typeof createValues>;
  readonly #exampleValues: ReturnType<typeof shownValues>;
  readonly #cursors = mockCursors();
  readonly #fromExamples: Known = (component) => this.#exampleValues.get(component);

  constructor(document: DocumentWithOperations, { seed, items }: AnswerOptions) {
    this.#document = document;
    this.#itemCount = items;
    this.#operations = mockedOperations(document);
    this.#values = createValues(document, seed);
    const declared = [...this.#operations.values()].flatMap((operation) => operation.declared.all);
    this.#exampleValues = shownValues(document, declared);
  }

  /**
   * Responds to a valid request of an operation, in the media type that the request accepts best. Throws 400 for a preference that the
   * document cannot satisfy.
   */
  answer(id: string, query: Readonly<Record<string, unknown>>, preference: Preference, accept?: string): MockAnswer {
    const { declared: answers, items } = this.#operations.get(id) ?? {
      declared: new DeclaredAnswers(new Map()),
      items: undefined,
    };
    const status = preference.code ?? answers.usual;
    const declared = answers.get(status);
    if (declared === undefined)
      throw badRequest(`Prefer: code=${status}: ${id} declares no such answer; it has ${answers.names.join(', ')}`);
    const { cursor: _cursor, limit: _limit, ...parameters } = query;
    const name = JSON.stringify([id, status, Object.entries(parameters).sort()]);
    const { mediaType, ...described } = bodyOf(declared, accept) ?? {};
    const answer = { status, headers: this.#headersOf(declared, name), mediaType, applied: appliedOf(preference) };
    if (mediaType === undefined) return { ...answer, body: undefined };
    const content: Content = { examples: new Map(), ...described, status };
    const example = this.#exampleOf(content, preference);
    const source: Source = { name, example, known: preference.dynamic ? nothing : this.#fromExamples };
    if (isStream(mediaType)) return { ...answer, body: this.#items(content, source) };
    const body = example ?? (content.schema && this.#values.make(content.schema, name, source.known));
    // Without a schema every body is valid.
    if (body === undefined && content.schema === undefined) return { ...answer, body: isJson(mediaType) ? {} : '' };
    if (body === undefined) throw noValue(`the ${status} of ${id}`);
    if (status >= 300 || items === undefined || !isPage(body, items)) return { ...answer, body };
    return { ...answer, body: this.#pageBody(id, items, content.schema, body, query, source) };
  }

  /** The items of a stream: the examples, which are items each, and generated ones. */
  #items({ schema, examples, status }: Content, { name, example, known }: Source): unknown[] {
    const shown = example === undefined ? [] : [...new Set([example, ...examples.values()])];
    const items = shown.filter((value) => this.#isValid({ schema }, value));
    for (let index = items.length; index < (this.#itemCount ?? streamedItems); index++)
      items.push(schema === undefined ? {} : this.#values.make(schema, `${name} ${index}`, known));
    if (items.includes(undefined)) throw noValue(`an item of the ${status}`);
    return items.slice(0, this.#itemCount);
  }

  /** A value of a component: from the examples, or generated; undefined when neither is possible. */
  valueOf(component: string): unknown {
    const place = schemaAt(this.#document, `/components/schemas/${component}`);
    return this.#exampleValues.get(component)?.[0] ?? this.#values.make(place, component, this.#fromExamples);
  }

  #isValid({ schema }: Pick<Content, 'schema'>, value: unknown): boolean {
    return schema === undefined || satisfies(this.#document, schema, value as Json);
  }

  /** The preferred example; undefined when values must be generated. Throws when no example has the name. */
  #exampleOf(declared: Content, { example, dynamic }: Preference): unknown {
    const { examples, status } = declared;
    if (example === undefined)
      return dynamic ? undefined : [...examples.values()].find((value) => this.#isValid(declared, value));
    const value = examples.get(example);
    if (value === undefined)
      throw badRequest(
        `Prefer: example=${example}: the ${status} has no such example${suggestion(example, [...examples.keys()])}`,
      );
    if (!this.#isValid(declared, value))
      throw new ServiceError(500, `the example '${example}' breaks its schema: \`npm run generate\` says where`);
    return value;
  }

  /** An additional item: a copy of an example with a new id, or a generated item. */
  #createItem(
    items: SchemaNode | undefined,
    examples: readonly unknown[],
    index: number,
    { name, known }: Source,
  ): unknown {
    const values = this.#values;
    const template =
      examples.length > 0 ? examples[index % examples.length] : items && values.make(items, `${name} ${index}`, known);
    if (template === undefined) throw noValue('an item of the list');
    const id = memberOf(this.#document, items, 'id');
    if (!isObject(template) || id === undefined) return template;
    // The id must differ from those of the examples. The longest candidate is the least likely duplicate.
    const ids = Array.from({ length: idAttempts }, (_, attempt) =>
      values.make(id, `${name} ${index} id ${attempt}`, nothing),
    );
    return {
      ...template,
      id: ids.reduce((long, other) => (String(other).length > String(long).length ? other : long)) ?? template['id'],
    };
  }

  /** A page of the list whose first page is `page`, an example or a generated value. */
  #pageBody(
    id: string,
    member: string,
    schema: SchemaNode | undefined,
    page: ExamplePage,
    query: ListQuery,
    source: Source,
  ): unknown {
    const document = this.#document;
    const itemSchema = itemsOf(document, memberOf(document, schema, member));
    const hasExample = source.example !== undefined;
    const shown = page[member];
    const examples: readonly unknown[] = hasExample && Array.isArray(shown) ? shown : [];
    const exampleItems = examples.length * (page['has_next_page'] === true ? 1 + furtherPages : 1);
    const list: List = {
      total: this.#itemCount ?? (hasExample ? exampleItems : generatedItems),
      item: (index) => examples[index] ?? this.#createItem(itemSchema, examples, index, source),
      ...(this.#itemCount === undefined && hasExample && { first: { items: examples.length, next: page.next_cursor } }),
    };
    const { items, ...rest } = pageOf(this.#cursors, id as OperationId, query, list);
    return { ...page, [member]: items, ...rest };
  }

  #headersOf({ headers }: Declared, name: string): Record<string, string> {
    return Object.fromEntries(
      Array.from(headers).flatMap(([header, { example, schema, parameter }]) => {
        const value = example ?? (schema && this.#values.make(schema, `${name} ${header}`, nothing));
        return value === undefined ? [] : [[header, headerText(parameter, value)]];
      }),
    );
  }
}

/** A page of an example: its items are in the member that the operation names. */
type ExamplePage = Record<string, unknown> & { readonly next_cursor: string | null };

const isPage = (body: unknown, items: string): body is ExamplePage =>
  isObject(body) && Array.isArray(body[items]) && 'next_cursor' in body;

/** The applied preferences, in the syntax of `Preference-Applied`. */
function appliedOf({ code, example, dynamic }: Preference): string[] {
  return [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${example}`]),
    ...(dynamic && example === undefined ? ['dynamic=true'] : []),
  ];
}
