/** What the mock answers: the example of the document that the caller prefers, else values made from the schema. */
import type { OperationId } from '../../../server/contract/operations.ts';
import { badRequest, ServiceError } from '../../../server/contract/service-error.ts';
import { operationTable, type DocumentWithOperations } from '../../../server/contract/operation-table.ts';
import { suggestion } from '../../../server/text/nearest-name.ts';
import { follow, satisfies, schemaAt, within, type Json, type Place } from '../arbitrary/schema.ts';
import { declaredAnswers, shownValues, type Declared } from './examples.ts';
import { mockCursors, pageOf, type List, type ListQuery } from './list.ts';
import type { Preference } from './prefer.ts';
import { createValues, type Known } from './values.ts';

/** An answer, before it is written. */
export interface MockAnswer {
  readonly status: number;
  /** What the document declares for it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  /** Undefined where the answer has no body. */
  readonly body: unknown;
  /** What of the preference was followed, as `Preference-Applied` says it. */
  readonly applied: readonly string[];
}

/** Answers from one document. */
export interface Answerer {
  /** Answers the valid request of an operation. Throws 400 for a preference that cannot be followed. */
  answer(id: OperationId, query: Readonly<Record<string, unknown>>, preference: Preference): MockAnswer;
  /** A value of a component: one that the examples show, else a generated one; undefined where there is none. */
  valueOf(component: string): unknown;
}

/** What makes answers other ones. */
export interface AnswerOptions {
  readonly seed: number;
  /** How many items lists have; undefined: those of the example. */
  readonly items: number | undefined;
}

/** How many items a list has that was generated. */
const generatedItems = 30;
/** How many ids are made for one item, of which one is taken. */
const idAttempts = 5;
/** How many pages of the size of the example follow one that says that there are more. */
const furtherPages = 1;

interface Mocked {
  readonly declared: ReadonlyMap<number, Declared>;
  /** The member of a page that holds its items. */
  readonly items: string | undefined;
}

/** What each operation of the document can answer. */
function mockedOperations(document: DocumentWithOperations): Map<string, Mocked> {
  const rows = Object.entries(operationTable(document));
  return new Map(
    rows.map(([id, { path, method }]) => {
      const { 'x-items': items } = document.paths[path]![method] as { 'x-items'?: string };
      return [id, { declared: declaredAnswers(document, path, method), items }];
    }),
  );
}

/** The status that is answered unless the caller prefers another: the first that says that all went well. */
const usualStatus = (declared: ReadonlyMap<number, Declared>): number =>
  [...declared.keys()].sort((a, b) => a - b).find((status) => status >= 200 && status < 300) ??
  [...declared.keys()][0]!;

const noValue = (what: string): ServiceError =>
  new ServiceError(500, `the mock could not make a value for ${what}: give it an example in the spec`);

/** The schema of a member of an object, and of the items of a list. */
const memberOf = (document: object, place: Place | undefined, name: string): Place | undefined => {
  const member = place?.schema.properties?.[name];
  return member === undefined ? undefined : follow(document, within(place!, member, 'properties', name));
};
const itemsOf = (document: object, place: Place | undefined): Place | undefined =>
  place?.schema.items === undefined ? undefined : follow(document, within(place, place.schema.items, 'items'));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The answers of a document. Reads all of its examples once. */
export function createAnswerer(
  document: DocumentWithOperations,
  { seed, items: wantedItems }: AnswerOptions,
): Answerer {
  const operations = mockedOperations(document);
  const values = createValues(document, seed);
  const shown = shownValues(
    document,
    [...operations.values()].flatMap(({ declared }) => [...declared.values()]),
  );
  const cursors = mockCursors();
  const nothing: Known = () => undefined;
  const fromExamples: Known = (component) => shown.get(component);
  const isSound = ({ schema }: Declared, value: unknown): boolean =>
    schema === undefined || satisfies(document, schema, value as Json);

  /** The example that is preferred; undefined where values are to be generated. Throws where there is none of this name. */
  function exampleOf(declared: Declared, { example, dynamic }: Preference): unknown {
    const { examples, status } = declared;
    if (example === undefined)
      return dynamic ? undefined : [...examples.values()].find((value) => isSound(declared, value));
    const value = examples.get(example);
    if (value === undefined)
      throw badRequest(
        `Prefer: example=${example}: the ${status} has no such example${suggestion(example, [...examples.keys()])}`,
      );
    if (!isSound(declared, value))
      throw new ServiceError(500, `the example '${example}' breaks its schema: \`npm run generate\` says where`);
    return value;
  }

  /** One more item: as one of the examples is, under an id of its own, or else a generated one. */
  function anotherItem(
    items: Place | undefined,
    examples: readonly unknown[],
    place: number,
    { name, known }: Source,
  ): unknown {
    const like =
      examples.length > 0 ? examples[place % examples.length] : items && values.make(items, `${name} ${place}`, known);
    if (like === undefined) throw noValue('an item of the list');
    const id = memberOf(document, items, 'id');
    if (!isObject(like) || id === undefined) return like;
    // Not one of those that the examples show, because an id names one thing; the longest of several, because short ones come twice.
    const ids = Array.from({ length: idAttempts }, (_, attempt) =>
      values.make(id, `${name} ${place} id ${attempt}`, nothing),
    );
    return {
      ...like,
      id: ids.reduce((long, other) => (String(other).length > String(long).length ? other : long)) ?? like['id'],
    };
  }

  /** A page of the list that `page`, an example or a generated one, begins. */
  function pageBody(
    id: OperationId,
    member: string,
    schema: Place | undefined,
    page: Record<string, unknown>,
    query: ListQuery,
    source: Source,
  ): unknown {
    const itemSchema = itemsOf(document, memberOf(document, schema, member));
    const examples = source.example === undefined ? [] : (page[member] as unknown[]);
    const exampleItems = examples.length * (page['has_next_page'] === true ? 1 + furtherPages : 1);
    const list: List = {
      total: wantedItems ?? (source.example === undefined ? generatedItems : exampleItems),
      item: (place) => examples[place] ?? anotherItem(itemSchema, examples, place, source),
      ...(wantedItems === undefined &&
        source.example !== undefined && {
          first: { items: examples.length, next: page['next_cursor'] as string | null },
        }),
    };
    const { items, ...rest } = pageOf(cursors, id, query, list);
    return { ...page, [member]: items, ...rest };
  }

  function headersOf({ headers }: Declared, name: string): Record<string, string> {
    const given = Array.from(headers, ([header, { example, schema }]) => [
      header,
      example ?? (schema && values.make(schema, `${name} ${header}`, nothing)),
    ]);
    return Object.fromEntries(
      given.filter(([, value]) => value !== undefined).map(([header, value]) => [header, String(value)]),
    ) as Record<string, string>;
  }

  function answer(id: OperationId, query: Readonly<Record<string, unknown>>, preference: Preference): MockAnswer {
    const mocked = operations.get(id)!;
    const status = preference.code ?? usualStatus(mocked.declared);
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
      return shown.get(component)?.[0] ?? values.make(place, component, fromExamples);
    },
  };
}

/** Where the values of an answer come from. */
interface Source {
  /** Tells the answer apart from all others. */
  readonly name: string;
  /** Undefined where values are generated. */
  readonly example: unknown;
  readonly known: Known;
}
