/** The kinds of media types: how a body of each is written, and which value its schema describes. */

/**
 * `json`: one JSON value. `json-lines`: one JSON value a line; the schema describes one of them. `event-stream`: server-sent events;
 * the schema describes the JSON in the `data` of one event. `form`, `multipart`: the members of a form. `text`: a string.
 * `binary`: bytes.
 */
export type MediaKind = 'json' | 'json-lines' | 'event-stream' | 'form' | 'multipart' | 'text' | 'binary';

const kinds: Readonly<Record<string, MediaKind>> = {
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
};

/** A media type without parameters, in lower case: `text/html` of `Text/HTML; charset=utf-8`. */
export const mediaTypeOf = (header: string): string => header.split(';', 1)[0]!.trim().toLowerCase();

/** The kind of a media type or media range, with or without parameters. */
export function mediaKind(mediaType: string): MediaKind {
  const type = mediaTypeOf(mediaType);
  const known = kinds[type];
  if (known !== undefined) return known;
  if (type.endsWith('+json')) return 'json';
  return type.startsWith('text/') || type.endsWith('+xml') ? 'text' : 'binary';
}
