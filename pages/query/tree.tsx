/** The syntax tree of a query: nested lists, each part with its text and its meaning. */
import type { VNode } from '../kit/frame.ts';
import type { Reading, Span } from './reading.ts';

export interface TreeListener {
  /** The pointer or the focus is on a part; undefined when it leaves. */
  highlight(span: Span | undefined): void;
  /** The reader selects a part to edit it. */
  select(span: Span): void;
}

const operatorLabels: Partial<Record<Reading['kind'], string>> = { and: 'AND', or: 'OR', not: 'NOT', rule: 'RULE' };

interface PartProps {
  readonly reading: Reading;
  readonly text: string;
  readonly listener: TreeListener;
}

function Part({ reading, text, listener }: PartProps): VNode {
  const { span, kind, meaning, parts } = reading;
  const label = operatorLabels[kind] ?? text.slice(span?.at ?? 0, span?.end ?? 0);
  const show = (): void => listener.highlight(span);
  const hide = (): void => listener.highlight(undefined);
  return (
    <li>
      <div class="line" onPointerEnter={show} onPointerLeave={hide} onFocusIn={show} onFocusOut={hide}>
        {span === undefined ? (
          <span class={`part ${kind}`}>{label}</span>
        ) : (
          <button
            type="button"
            class={`part ${kind}`}
            title="Select this part of the query"
            onClick={() => listener.select(span)}
          >
            {label}
          </button>
        )}{' '}
        <span class="means">{meaning}</span>
      </div>
      {parts.length > 0 && (
        <ul>
          {parts.map((each, index) => (
            <Part key={index} reading={each} text={text} listener={listener} />
          ))}
        </ul>
      )}
    </li>
  );
}

export const QueryTree = (props: PartProps): VNode => (
  <ul class="tree">
    <Part {...props} />
  </ul>
);
