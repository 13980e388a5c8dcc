/** What the mock answers: the example of the document that the caller prefers, else values made from the schema. */
import type { OperationId } from '../../server/contract.ts';
import { badRequest, ServiceError } from '../../server/errors.ts';
import { operationTable, resolve, type OperationRow } from '../../server/http/operation-table.ts';
import { suggestion } from '../../server/nearest.ts';
import { declaredAnswers, shownValues, type Declared, type MockedDocument } from './examples.ts';
import { mockCursors, pageOf, type List, type ListQuery } from './list.ts';
import type { Preference } from './prefer.ts';
import type { Schema } from './schema.ts';
import { createValues } from './values.ts';

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

/** Answers the valid request of an operation. Throws 400 for a preference that cannot be followed. */
export type Answerer = (id: OperationId, query: Readonly<Record<string, unknown>>, preference: Preference) => MockAnswer;

export interface AnswerOptions {
  readonly seed: number;
  /** How many items lists have; undefined: those of the example. */
  readonly items: number | undefined;
}

/** How many items a list has that was generated. */
const generatedItems = 30;
/** How many pages of the size of the example follow one that says that there are more. */
const furtherPages = 1;

interface Mocked {
  readonly row: OperationRow;
  readonly declared: ReadonlyMap<number, Declared>;
  /** The member of a page that holds its items. */
  readonly items: string | undefined;
}

/** What each operation of the document can answer. */
function mockedOperations(document: MockedDocument): Map<string, Mocked> {
  const rows = Object.entries(operationTable(document as never));
  return new Map(
    rows.map(([id, row]) => {
      const { 'x-items': items } = document.paths[row.path]![row.method] as { 'x-items'?: string };
      return [id, { row, declared: declaredAnswers(document, row.path, row.method), items }];
    }),
  );
}

/** The status that is answered unless the caller prefers another: the first that says that all went well. */
const usualStatus = (declared: ReadonlyMap<number, Declared>): number =>
  [...declared.keys()].sort((a, b) => a - b).find((status) => status >= 200 && status < 300) ?? [...declared.keys()][0]!;

const noValue = (what: string): ServiceError =>
  new ServiceError(500, `the mock could not make a value for ${what}: give it an example in the spec`);

/** The schema of a member of an object, and of the items of a list. */
const memberOf = (document: MockedDocument, schema: Schema, name: string): Schema | undefined => {
  const member = resolve<Schema>(document, schema).properties?.[name];
  return typeof member === 'object' ? member : undefined;
};
const itemsOf = (document: MockedDocument, schema: Schema): Schema | undefined => {
  const items = resolve<Schema>(document, schema).items;
  return typeof items === 'object' ? items : undefined;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The answers of a document. Reads all of its examples once. */
export function createAnswerer(document: MockedDocument, { seed, items: wantedItems }: AnswerOptions): Answerer {
  const operations = mockedOperations(document);
  const values = createValues(document, seed);
  const shown = shownValues(document, [...operations.values()].flatMap(({ declared }) => [...declared.values()]), values);
  const cursors = mockCursors();
  const nothing = (): undefined => undefined;

  /** The example, if it is what its schema says. */
  function sound(schema: Schema | undefined, value: unknown, name: string): unknown {
    const checked = values.check(schema ?? {}, value);
    if (checked.ok) return value;
    throw new ServiceError(500, `the example '${name}' breaks its schema: ${checked.why}`);
  }

  /** The example that is preferred; undefined where values are to be generated. Throws 400 where there is none of this name. */
  function exampleOf({ schema, examples, status }: Declared, { example, dynamic }: Preference): unknown {
    if (example !== undefined) {
      if (examples.has(example)) return sound(schema, examples.get(example), example);
      throw badRequest(`Prefer: example=${example}: the ${status} has no such example${suggestion(example, [...examples.keys()])}`);
    }
    return dynamic ? undefined : [...examples.values()].find((value) => schema === undefined || values.check(schema, value).ok);
  }

  /** A page of the items that are wanted, of which `example` shows the first. */
  function pageBody(id: OperationId, { items: member }: Mocked, schema: Schema, page: Record<string, unknown>, query: ListQuery, from: Source): unknown {
    const examples = from.example === undefined ? [] : (page[member!] as unknown[]);
    const goesOn = page['has_next_page'] === true;
    const total = wantedItems ?? (from.example === undefined ? generatedItems : examples.length * (goesOn ? 1 + furtherPages : 1));
    const itemSchema = itemsOf(document, memberOf(document, schema, member!) ?? {}) ?? {};
    const list: List = {
      total,
      item: (place) => (place < examples.length ? examples[place] : likeThese(itemSchema, examples, `${from.name} ${place}`, place, from)),
      ...(wantedItems === undefined && from.example !== undefined && { first: { items: examples.length, next: page['next_cursor'] as string | null } }),
    };
    const { items, ...rest } = pageOf(cursors, id, query, list);
    return { ...page, [member!]: items, ...rest };
  }

  /** One more item: as one of the examples is, under an id of its own, or else a generated one. */
  function likeThese(schema: Schema, examples: readonly unknown[], name: string, place: number, { known }: Source): unknown {
    const like = examples.length > 0 ? examples[place % examples.length] : values.make(schema, name, known);
    const idSchema = memberOf(document, schema, 'id');
    if (like === undefined) throw noValue('an item of the list');
    if (!isObject(like) || idSchema === undefined || typeof like['id'] !== 'string') return like;
    // Not one of those that the examples show: an id names one thing.
    const ownId = values.make(idSchema, `${name} id`, nothing);
    return ownId === undefined ? like : { ...like, id: ownId };
  }

  function headersOf({ headers }: Declared, name: string): Record<string, string> {
    const given = Object.entries(headers).map(([header, { example, schema }]) => [header, example ?? values.make(schema ?? {}, `${name} ${header}`, nothing)]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined).map(([header, value]) => [header, String(value)])) as Record<string, string>;
  }

  return (id, query, preference) => {
    const mocked = operations.get(id)!;
    const status = preference.code ?? usualStatus(mocked.declared);
    const declared = mocked.declared.get(status);
    if (declared === undefined) {
      throw badRequest(`Prefer: code=${status}: ${id} declares no such answer; it has ${[...mocked.declared.keys()].join(', ')}`);
    }
    const applied = [
      ...(preference.code === undefined ? [] : [`code=${status}`]),
      ...(preference.example === undefined ? [] : [`example=${preference.example}`]),
      ...(preference.dynamic && preference.example === undefined ? ['dynamic=true'] : []),
    ];
    const { cursor: _cursor, limit: _limit, ...parameters } = query;
    const name = JSON.stringify([id, status, Object.entries(parameters).sort()]);
    const answer = { status, headers: headersOf(declared, name), mediaType: declared.mediaType, applied };

    const { schema } = declared;
    const example = exampleOf(declared, preference);
    if (schema === undefined) return { ...answer, body: undefined };
    const source: Source = { name, example, known: preference.dynamic ? nothing : (component) => shown.get(component) };
    const body = example ?? values.make(schema, name, source.known);
    if (body === undefined) throw noValue(`the ${status} of ${id}`);
    const isPage = status < 300 && mocked.items !== undefined && isObject(body) && Array.isArray(body[mocked.items]) && 'next_cursor' in body;
    return { ...answer, body: isPage ? pageBody(id, mocked, schema, body, query, source) : body };
  };
}

/** Where the values of an answer come from. */
interface Source {
  /** Tells the answer apart from all others. */
  readonly name: string;
  readonly example: unknown;
  readonly known: (component: string) => readonly unknown[] | undefined;
}
