/** The examples of a document: those of its answers, and what they show of its components. */
import { resolve } from '../../server/http/operation-table.ts';
import type { Schema } from './schema.ts';
import type { Values } from './values.ts';

interface Reference {
  readonly $ref: string;
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown } | Reference>>;
}
interface Header {
  readonly schema?: Schema;
  readonly example?: unknown;
}
interface Response {
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface MockedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response | Reference>> }>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An answer that the document declares. */
export interface Declared {
  readonly status: number;
  readonly headers: Readonly<Record<string, Header>>;
  /** Undefined where it has no body. */
  readonly schema: Schema | undefined;
  readonly mediaType: string | undefined;
  /** By name; one without a name is `example`. */
  readonly examples: ReadonlyMap<string, unknown>;
}

const isJson = (type: string): boolean => /^application\/(.+\+)?json\b/i.test(type);

/** The answers of an operation, by status. Statuses that are ranges, and `default`, cannot be picked. */
export function declaredAnswers(document: MockedDocument, path: string, method: string): Map<number, Declared> {
  const responses = Object.entries(document.paths[path]![method]!.responses).filter(([status]) => /^\d{3}$/.test(status));
  return new Map(
    responses.map(([status, reference]) => {
      const { headers = {}, content = {} } = resolve<Response>(document, reference);
      const [mediaType, media = {}] = Object.entries(content).find(([type]) => isJson(type)) ?? Object.entries(content)[0] ?? [];
      const named = Object.entries(media.examples ?? {})
        .map(([name, example]) => [name, resolve<{ readonly value?: unknown }>(document, example).value] as const)
        .filter(([, value]) => value !== undefined);
      const declared: Declared = {
        status: Number(status),
        headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, resolve<Header>(document, header)])),
        mediaType,
        schema: mediaType === undefined ? undefined : (media.schema ?? {}),
        examples: new Map([...(media.example === undefined ? [] : [['example', media.example] as const]), ...named]),
      };
      return [declared.status, declared];
    }),
  );
}

/**
 * What the examples show of each component, by its name: the author in the example of a tweet is an author. Values that are
 * generated are put together from these, so that they read like the rest.
 */
export function shownValues(document: MockedDocument, answers: Iterable<Declared>, values: Values): Map<string, unknown[]> {
  const shown = new Map<string, Map<string, unknown>>();
  const visit = (schema: Schema | boolean | undefined, value: unknown): void => {
    if (typeof schema !== 'object' || value === null || value === undefined) return;
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1)!;
      if (values.check({ $ref: schema.$ref }, value).ok) {
        const known = shown.get(name) ?? new Map<string, unknown>();
        shown.set(name, known.set(JSON.stringify(value), value));
      }
      visit(resolve<Schema>(document, { $ref: schema.$ref }), value);
    }
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) visit(part, value);
    if (Array.isArray(value)) value.forEach((item, place) => visit(schema.prefixItems?.[place] ?? schema.items, item));
    else if (typeof value === 'object') {
      for (const [name, member] of Object.entries(schema.properties ?? {})) visit(member, (value as Record<string, unknown>)[name]);
    }
  };
  for (const { schema, examples } of answers) for (const value of examples.values()) visit(schema, value);
  return new Map(Array.from(shown, ([name, known]) => [name, [...known.values()]]));
}
