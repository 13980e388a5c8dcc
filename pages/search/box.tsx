/** The query box. A mirror below its text has the same text and carries the marks; it also gives the box its height. */
import type { VNode } from '../kit/index.ts';
import type { Span } from '../query/reading.ts';

/** A part of the query that is marked: one that the reader looks at, or an error. */
export interface Mark extends Span {
  readonly kind: 'looked' | 'fault';
}

export function QueryBox(props: {
  text: string;
  mark: Mark | undefined;
  change: (text: string) => void;
  run: () => void;
}): VNode {
  const { text, mark, change, run } = props;
  const { at, end, kind } = mark ?? { at: text.length, end: text.length, kind: 'looked' };
  // A query has one line, so Enter runs it, unless it confirms the choice of an input method.
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    run();
  };
  return (
    <div class="box">
      <div id="mirror" aria-hidden="true">
        {text.slice(0, at)}
        {at < end && <mark class={kind}>{text.slice(at, end)}</mark>}
        {/* The space gives the last line the same height as in the box. */}
        {`${text.slice(end)} `}
      </div>
      <textarea
        id="query"
        name="query"
        rows={1}
        spellcheck={false}
        autocapitalize="off"
        autocorrect="off"
        enterkeyhint="search"
        placeholder="coffee OR espresso -decaf"
        aria-describedby="verdict"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={onKey}
      />
    </div>
  );
}
