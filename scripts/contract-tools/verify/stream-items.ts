/** The items of streamed bodies: JSON lines and server-sent events. */
import { mediaKind } from '../../../server/contract/media-type.ts';

/** Whether a body of the media type has items, each of which the schema describes. */
export const isStream = (mediaType: string): boolean => ['json-lines', 'event-stream'].includes(mediaKind(mediaType));

/** The texts of the complete items of a body; the rest of a body that was cut off is left out. */
export function itemTexts(mediaType: string, text: string): string[] {
  if (mediaKind(mediaType) === 'json-lines') return text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const events = text.split(/\r\n\r\n|\n\n|\r\r/);
  return events.slice(0, -1).flatMap((event) => {
    const data = event.split(/\r\n|\n|\r/).flatMap((line) => /^data(?:: ?(.*))?$/s.exec(line)?.[1] ?? []);
    return data.length === 0 ? [] : [data.join('\n')];
  });
}

/** A value as the body of a media type; that of a stream is the list of its items. */
export function bodyText(mediaType: string, value: unknown): string {
  const kind = mediaKind(mediaType);
  if (isStream(mediaType)) {
    const items = (value as readonly unknown[]).map((item) => JSON.stringify(item));
    return items.map((item) => (kind === 'json-lines' ? `${item}\n` : `data: ${item}\n\n`)).join('');
  }
  if (kind === 'json') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
