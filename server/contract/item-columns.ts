/** Lists as tables: CSV that the server writes from the JSON page of a list, and the columns of the items. */
import { isObject } from '../text/object.ts';
import { resolve } from './plain-document.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The media type that the server writes from the JSON page of an operation with `x-items`, where the contract declares both. */
export const csvType = 'text/csv';

/** The media types of a response without the one that the server writes from another one. */
export const withoutCsvOfItems = <Media>(
  operation: object,
  content: Readonly<Record<string, Media>>,
): Readonly<Record<string, Media>> =>
  'x-items' in operation && csvType in content && 'application/json' in content
    ? Object.fromEntries(Object.entries(content).filter(([type]) => type !== csvType))
    : content;

type Described = Readonly<Record<string, unknown>>;
const mapped = (value: unknown, change: (inner: Described) => unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isObject(each) ? change(each) : each]))
    : value;

/** A document without the CSV of lists, for programs and types that read JSON. */
export const withoutCsvOfLists = <Document extends { readonly paths?: unknown }>(document: Document): Document => ({
  ...document,
  paths: mapped(document.paths, (path) =>
    mapped(path, (operation) =>
      !('x-items' in operation)
        ? operation
        : {
            ...operation,
            responses: mapped(operation['responses'], (response) =>
              isObject(response['content'])
                ? { ...response, content: withoutCsvOfItems(operation, response['content']) }
                : response,
            ),
          },
    ),
  ),
});

/** The schemas of the members of an object, also those of its parts and alternatives. */
export function memberSchemas(document: object, schema: Schema, found = new Map<string, Schema>()): typeof found {
  const resolved = resolve<Schema>(document, schema);
  for (const [name, member] of Object.entries((resolved['properties'] ?? {}) as Record<string, Schema>))
    found.set(name, typeof member === 'object' ? member : {});
  for (const part of ['allOf', 'oneOf', 'anyOf'].flatMap((name) => (resolved[name] ?? []) as Schema[]))
    if (typeof part === 'object') memberSchemas(document, part, found);
  return found;
}

/** The members of a record in CSV: those of its objects one by one, such as `author.username`. */
export function columnsOf(document: object, schema: Schema): string[] {
  return Array.from(memberSchemas(document, schema), ([name, member]): string[] => {
    const { type } = resolve<Schema>(document, member);
    if (![type].flat().includes('object') && type !== undefined) return [name];
    const inner = [type].flat().includes('null') ? [] : [...memberSchemas(document, member).keys()];
    return inner.length === 0 ? [name] : inner.map((each) => `${name}.${each}`);
  }).flat();
}

/** The columns of the items of a list. `page`: the schema of its JSON pages, `items`: their member with the items. */
export function itemColumns(document: object, page: Schema, items: string): string[] {
  const list = memberSchemas(document, page).get(items);
  const { items: item } = resolve<Schema>(document, list ?? {});
  return columnsOf(document, (item ?? {}) as Schema);
}

/** The value of a column such as `author.username`. */
export const valueOfColumn = (item: unknown, column: string): unknown =>
  column
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? (value as Schema)[name] : undefined),
      item,
    );
