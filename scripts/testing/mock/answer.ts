/** Creates the responses of the mock: the example that the caller prefers, or values generated from the schema. */
import type { OperationId } from '../../../server/contract/operations.ts';
import { badRequest, ServiceError } from '../../../server/contract/service-error.ts';
import { operationTable, type DocumentWithOperations } from '../../../server/contract/operation-table.ts';
import { suggestion } from '../../../server/text/nearest-name.ts';
import { follow, satisfies, schemaAt, within, type Json, type SchemaNode } from '../arbitrary/schema.ts';
import { declaredAnswers, shownValues, type Declared } from './examples.ts';
import { mockCursors, pageOf, type List, type ListQuery } from './list.ts';
import type { Preference } from './prefer.ts';
import { createValues, type Known } from './values.ts';

/** A response before serialization. */
export interface MockAnswer {
  readonly status: number;
  /** The headers that the document declares. */
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  /** Undefined for a response without a body. */
  readonly body: unknown;
  /** The applied preferences, in the syntax of `Preference-Applied` (RFC 7240). */
  readonly applied: readonly string[];
}

/** Creates responses from one document. */
export interface Answerer {
  /** Responds to a valid request of an operation. Throws 400 for a preference that the document cannot satisfy. */
  answer(id: OperationId, query: Readonly<Record<string, unknown>>, preference: Preference): MockAnswer;
  /** A value of a component: from the examples, or generated; undefined when neither is possible. */
  valueOf(component: string): unknown;
}

/** Options for the content of responses. */
export interface AnswerOptions {
  readonly seed: number;
  /** The number of items of each list; undefined: as many as the example implies. */
  readonly items: number | undefined;
}

/** The number of items of a generated list. */
const generatedItems = 30;
/** The number of generated candidates for the id of an item. */
const idAttempts = 5;
/** The number of pages after an example page with `has_next_page: true`. */
const furtherPages = 1;

interface Mocked {
  readonly declared: ReadonlyMap<number, Declared>;
  /** The member of a page that holds its items. */
  readonly items: string | undefined;
}

/** The declared responses of each operation of the document. */
function mockedOperations(document: DocumentWithOperations): Map<string, Mocked> {
  const operations = Object.entries(operationTable(document));
  return new Map(
    operations.map(([id, { path, method }]) => {
      const { 'x-items': items } = document.paths[path]![method] as { 'x-items'?: string };
      return [id, { declared: declaredAnswers(document, path, method), items }];
    }),
  );
}

/** The default status: the lowest success status, or else the first declared one. */
const defaultStatus = (declared: ReadonlyMap<number, Declared>): number =>
  [...declared.keys()].sort((a, b) => a - b).find((status) => status >= 200 && status < 300) ??
  [...declared.keys()][0]!;

const noValue = (what: string): ServiceError =>
  new ServiceError(500, `the mock could not make a value for ${what}: give it an example in the spec`);

/** The schema of a member of an object, and of the items of a list. */
const memberOf = (document: object, place: SchemaNode | undefined, name: string): SchemaNode | undefined => {
  const member = place?.schema.properties?.[name];
  return member === undefined ? undefined : follow(document, within(place!, member, 'properties', name));
};
const itemsOf = (document: object, place: SchemaNode | undefined): SchemaNode | undefined =>
  place?.schema.items === undefined ? undefined : follow(document, within(place, place.schema.items, 'items'));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Creates the responses of a document. Reads all examples of the document once. */
export function createAnswerer(document: DocumentWithOperations, { seed, items: itemCount }: AnswerOptions): Answerer {
  const operations = mockedOperations(document);
  const values = createValues(document, seed);
  const exampleValues = shownValues(
    document,
    [...operations.values()].flatMap(({ declared }) => [...declared.values()]),
  );
  const cursors = mockCursors();
  const nothing: Known = () => undefined;
  const fromExamples: Known = (component) => exampleValues.get(component);
  const isValid = ({ schema }: Declared, value: unknown): boolean =>
    schema === undefined || satisfies(document, schema, value as Json);

  /** The preferred example; undefined when values must be generated. Throws when no example has the name. */
  function exampleOf(declared: Declared, { example, dynamic }: Preference): unknown {
    const { examples, status } = declared;
    if (example === undefined)
      return dynamic ? undefined : [...examples.values()].find((value) => isValid(declared, value));
    const value = examples.get(example);
    if (value === undefined)
      throw badRequest(
        `Prefer: example=${example}: the ${status} has no such example${suggestion(example, [...examples.keys()])}`,
      );
    if (!isValid(declared, value))
      throw new ServiceError(500, `the example '${example}' breaks its schema: \`npm run generate\` says where`);
    return value;
  }

  /** An additional item: a copy of an example with a new id, or a generated item. */
  function createItem(
    items: SchemaNode | undefined,
    examples: readonly unknown[],
    index: number,
    { name, known }: Source,
  ): unknown {
    const template =
      examples.length > 0 ? examples[index % examples.length] : items && values.make(items, `${name} ${index}`, known);
    if (template === undefined) throw noValue('an item of the list');
    const id = memberOf(document, items, 'id');
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
  function pageBody(
    id: OperationId,
    member: string,
    schema: SchemaNode | undefined,
    page: Record<string, unknown>,
    query: ListQuery,
    source: Source,
  ): unknown {
    const itemSchema = itemsOf(document, memberOf(document, schema, member));
    const examples = source.example === undefined ? [] : (page[member] as unknown[]);
    const exampleItems = examples.length * (page['has_next_page'] === true ? 1 + furtherPages : 1);
    const list: List = {
      total: itemCount ?? (source.example === undefined ? generatedItems : exampleItems),
      item: (index) => examples[index] ?? createItem(itemSchema, examples, index, source),
      ...(itemCount === undefined &&
        source.example !== undefined && {
          first: { items: examples.length, next: page['next_cursor'] as string | null },
        }),
    };
    const { items, ...rest } = pageOf(cursors, id, query, list);
    return { ...page, [member]: items, ...rest };
  }

  function headersOf({ headers }: Declared, name: string): Record<string, string> {
    const headerValues = Array.from(headers, ([header, { example, schema }]) => [
      header,
      example ?? (schema && values.make(schema, `${name} ${header}`, nothing)),
    ]);
    return Object.fromEntries(
      headerValues.filter(([, value]) => value !== undefined).map(([header, value]) => [header, String(value)]),
    ) as Record<string, string>;
  }

  function answer(id: OperationId, query: Readonly<Record<string, unknown>>, preference: Preference): MockAnswer {
    const mocked = operations.get(id)!;
    const status = preference.code ?? defaultStatus(mocked.declared);
    const declared = mocked.declared.get(status);
    if (declared === undefined) {
      throw badRequest(
        `Prefer: code=${status}: ${id} declares no such answer; it has ${[...mocked.declared.keys()].join(', ')}`,
      );
    }
    const applied = [
      ...(preference.code === undefined ? [] : [`code=${status}`]),
      ...(preference.example === undefined ? [] : [`example=${preference.example}`]),
      ...(preference.dynamic && preference.example === undefined ? ['dynamic=true'] : []),
    ];
    const { cursor: _cursor, limit: _limit, ...parameters } = query;
    const name = JSON.stringify([id, status, Object.entries(parameters).sort()]);
    const declaredPart = { status, headers: headersOf(declared, name), mediaType: declared.mediaType, applied };

    if (declared.mediaType === undefined) return { ...declaredPart, body: undefined };
    const example = exampleOf(declared, preference);
    const source: Source = { name, example, known: preference.dynamic ? nothing : fromExamples };
    const body = example ?? (declared.schema && values.make(declared.schema, name, source.known));
    if (body === undefined) throw noValue(`the ${status} of ${id}`);
    const { items } = mocked;
    const isPage =
      status < 300 && items !== undefined && isObject(body) && Array.isArray(body[items]) && 'next_cursor' in body;
    return { ...declaredPart, body: isPage ? pageBody(id, items, declared.schema, body, query, source) : body };
  }

  return {
    answer,
    valueOf(component) {
      const place = schemaAt(document, `/components/schemas/${component}`);
      return exampleValues.get(component)?.[0] ?? values.make(place, component, fromExamples);
    },
  };
}

/** The source of the values of a response. */
interface Source {
  /** The unique name of the response; it seeds the generator. */
  readonly name: string;
  /** Undefined where values are generated. */
  readonly example: unknown;
  readonly known: Known;
}
