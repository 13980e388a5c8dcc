/** The kinds of media types: how a body of each is written, and which value its schema describes. */

/**
 * `json`: one JSON value. `json-lines`: one JSON value a line; the schema describes one of them. `event-stream`: server-sent events;
 * the schema describes the JSON in the `data` of one event. `form`, `multipart`: the members of a form. `text`: a string.
 * `binary`: bytes.
 */
export type MediaKind = 'json' | 'json-lines' | 'event-stream' | 'form' | 'multipart' | 'text' | 'binary';

const kinds = {
  'application/json': 'json',
  'application/x-ndjson': 'json-lines',
  'application/ndjson': 'json-lines',
  'application/jsonl': 'json-lines',
  'application/x-jsonlines': 'json-lines',
  'text/event-stream': 'event-stream',
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
  'application/xml': 'text',
  'application/yaml': 'text',
  'application/x-yaml': 'text',
  'application/javascript': 'text',
  'application/graphql': 'text',
} as const satisfies Readonly<Record<string, MediaKind>>;

type Plain<Name extends string> = Lowercase<Name> extends `${infer Type};${string}` ? Type : Lowercase<Name>;

/** The kind of a media type, for the compiler: the same as `mediaKind`. */
export type MediaKindOf<Name extends string> =
  Plain<Name> extends keyof typeof kinds
    ? (typeof kinds)[Plain<Name>]
    : Plain<Name> extends `${string}+json`
      ? 'json'
      : Plain<Name> extends `text/${string}` | `${string}+xml`
        ? 'text'
        : 'binary';

/** A media type without parameters, in lower case: `text/html` of `Text/HTML; charset=utf-8`. */
export const mediaTypeOf = (header: string): string => header.split(';', 1)[0]!.trim().toLowerCase();

/** The kind of a media type or media range, with or without parameters. */
export function mediaKind(mediaType: string): MediaKind {
  const type = mediaTypeOf(mediaType);
  if (Object.hasOwn(kinds, type)) return kinds[type as keyof typeof kinds];
  if (type.endsWith('+json')) return 'json';
  return type.startsWith('text/') || type.endsWith('+xml') ? 'text' : 'binary';
}

/** Whether a name is a range, such as `image/*`. */
export const isMediaRange = (name: string): boolean => mediaTypeOf(name).endsWith('/*');

/** The declared name that a media type belongs to: its own, else the narrowest range. Undefined for none. */
export function declaredMediaType(names: Iterable<string>, mediaType: string): string | undefined {
  const type = mediaTypeOf(mediaType);
  const byType = new Map(Array.from(names, (name) => [mediaTypeOf(name), name]));
  return byType.get(type) ?? byType.get(`${type.split('/', 1)[0]}/*`) ?? byType.get('*/*');
}
