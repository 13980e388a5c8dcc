/**
 * Reads the body of an answer by its content: JSON, JSON lines, or server-sent events. Servers send each of them with
 * the content type of another, and a stream where none was requested.
 */
import { createParser } from 'eventsource-parser';
import { member } from './part.ts';

/** Marks the end of a stream of the chat completions API. */
const done = '[DONE]';

/** The JSON values of a body, in order. Throws an error for a body that is not of these forms. */
export async function* valuesOf(response: Response): AsyncGenerator<unknown> {
  let json = '';
  let events: EventReader | undefined;
  for await (const piece of textOf(response)) {
    if (events === undefined) {
      json += piece;
      if (/^\s*(?:[{[]|$)/.test(json)) continue;
      if (/^\s*</.test(json)) throw new Error('the answer is a page');
      events = new EventReader();
    }
    yield* events.read(json === '' ? piece : json);
    json = '';
    if (events.isDone) return;
  }
  // An event counts also without the empty line that ends it.
  yield* events === undefined ? parsed(json) : events.read('\n\n');
}

/** The text of a body without its byte order mark. */
async function* textOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** The values of a stream of server-sent events. */
class EventReader {
  /** Whether the stream has said that it is complete. */
  isDone = false;
  #values: unknown[] = [];
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      if (this.isDone) return;
      this.isDone = data.trim() === done;
      for (const value of parsed(data))
        this.#values.push(event === 'error' && member(value, 'error') === undefined ? { error: value } : value);
    },
  });

  read(text: string): unknown[] {
    this.#parser.feed(text);
    const values = this.#values;
    this.#values = [];
    return values;
  }
}

/** The value of a text, or the values of its lines. Throws SyntaxError. */
function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split(/\r\n|\r|\n/)
      .map((line) => line.replace(/^data:/, '').trim())
      .filter((line) => line !== '' && line !== done)
      .map((line): unknown => JSON.parse(line));
  }
}
