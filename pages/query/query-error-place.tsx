/** An error in a query: its position with a caret, and the suggested name. */
import type { VNode } from '../kit/frame.ts';
import type { QueryError } from './query-error.ts';

/** Number of characters to show before and after the position; they fit on a phone. */
const [shownBefore, shownAfter] = [16, 24];

/** The position of an error in `text` and, where there is a suggestion, a button that calls `applyFix` with the corrected text. */
export function QueryErrorPlace(props: {
  error: QueryError;
  text: string;
  applyFix: (text: string) => void;
}): VNode | null {
  const { error, text, applyFix } = props;
  const { offset, wrong, suggestion } = error;
  if (offset === undefined) return null;
  const start = Math.max(0, offset - shownBefore);
  const before = (start > 0 ? '…' : '') + text.slice(start, offset).replaceAll(/\s/g, ' ');
  const after = text.slice(offset, offset + shownAfter).replaceAll(/\s/g, ' ');
  const canFix = wrong !== undefined && suggestion !== undefined && text.startsWith(wrong, offset);
  return (
    <>
      <pre class="place" aria-hidden="true">
        {`${before}${after}\n`}
        {/* The same text, invisible, has the width of the text before the position in any script. */}
        <span class="unseen">{before}</span>
        <span class="caret">▲</span>
      </pre>
      {canFix && (
        <button
          type="button"
          class="fix"
          onClick={() => applyFix(text.slice(0, offset) + suggestion + text.slice(offset + wrong.length))}
        >
          Use ‘{suggestion}’
        </button>
      )}
    </>
  );
}
