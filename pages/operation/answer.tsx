/** The answer to a request of the reference. */
import { Code, CopyButton, full, type VNode } from '../kit/frame.ts';

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly type: string;
  readonly text: string;
  /** The time to the first byte, in milliseconds. */
  readonly ms: number;
  /** Whether more of it is on its way, as of an event stream. */
  readonly isOpen: boolean;
  /** Whether the text was cut because it is long. */
  readonly isCut: boolean;
}

/** The most characters of a text that are shown. More would make the page slow. */
const maxCharacters = 200_000;

/** Reads an answer while it arrives, and calls `show` for what is there so far. */
export async function readAnswer(response: Response, ms: number, show: (answer: Answer) => void): Promise<void> {
  const { status, statusText } = response;
  const type = response.headers.get('content-type') ?? '';
  const headers = [...response.headers].toSorted(([one], [other]) => one.localeCompare(other));
  let text = '';
  let isCut = false;
  const now = (isOpen: boolean): void => show({ status, statusText, headers, type, text, ms, isOpen, isCut });
  now(true);
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
    isCut = text.length > maxCharacters;
    if (isCut) {
      text = text.slice(0, maxCharacters);
      await reader?.cancel();
      break;
    }
    if (/event-stream/.test(type)) now(true);
  }
  now(false);
}

/** JSON in lines; any other text as it is. */
function shown({ type, text, isOpen, isCut }: Answer): string {
  if (isOpen || isCut || !/[/+]json\b/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The cursor of the next page; undefined where there is none. */
export function nextCursor({ type, text, isOpen }: Answer): string | undefined {
  if (isOpen || !/[/+]json\b/.test(type)) return undefined;
  try {
    const { next_cursor: cursor } = JSON.parse(text) as { next_cursor?: unknown };
    return typeof cursor === 'string' ? cursor : undefined;
  } catch {
    return undefined;
  }
}

export function AnswerView({ answer }: { answer: Answer }): VNode {
  const { status, statusText, headers, text, ms, isCut } = answer;
  const pretty = shown(answer);
  return (
    <div class="answer">
      <p role="status">
        <b class={status < 400 ? 'good' : 'bad'}>
          {status} {statusText}
        </b>{' '}
        <span class="hint">
          {full(ms)} ms · {full(text.length)} characters{isCut ? ', and more that is not shown' : ''}
        </span>
      </p>
      {text !== '' && (
        <div class="sample-box">
          <CopyButton text={() => pretty} />
          <Code text={pretty} name="The body of the answer" />
        </div>
      )}
      <details>
        <summary>Headers</summary>
        <dl class="answer-headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
