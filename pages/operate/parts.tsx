/** Small parts that the sections of the operator's page share. */
import { useEffect, useLayoutEffect, useRef, useState, type ComponentChildren, type VNode } from '../kit/frame.ts';
import type { OperateError } from './api.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size for people: 1.2 GB. */
export function size(bytes: number): string {
  const exponent = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** exponent;
  return `${value >= 100 || exponent === 0 ? Math.round(value) : value.toFixed(1)} ${units[exponent]}`;
}

/** A time of this operator, to the second. */
export const moment = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Time of the day, to the minute. */
export const minuteOf = (at: string): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

export const Section = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }): VNode => (
  <section class="panel operate-section" aria-labelledby={id}>
    <h2 id={id} tabIndex={-1}>
      {title}
    </h2>
    {children}
  </section>
);

/** A table that scrolls within its box. The last row of a table without rows says so. */
export const Table = ({
  caption,
  heads,
  rows,
  empty,
}: {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  empty: string;
}): VNode =>
  rows.length === 0 ? (
    <p class="hint">{empty}</p>
  ) : (
    <div class="table-box" role="region" aria-label={caption} tabindex={0}>
      <table class="figures">
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

/** The state of an action that a button starts. */
export interface Doing {
  readonly isBusy: boolean;
  /** The error as a sentence; empty without one. */
  readonly fault: string;
  readonly run: (action: () => Promise<unknown>) => void;
}

/** The message of an error as a sentence. */
export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;

/** Runs one action at a time, and keeps its error. */
export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const run = (action: () => Promise<unknown>): void => {
    setBusy(true);
    setFault('');
    action()
      .catch((error: OperateError) => setFault(sentence(error.message)))
      .finally(() => setBusy(false));
  };
  return { isBusy, fault, run };
}

export const Reason = ({ text }: { text: string }): VNode => (
  <p class="reason" role="alert">
    {text}
  </p>
);

/** A field of a form for a text, with what it takes. `form` begins its id. */
export const Field = ({
  form,
  name,
  label,
  hint,
  isSecret = false,
}: {
  form: string;
  name: string;
  label: string;
  hint: string;
  isSecret?: boolean;
}): VNode => {
  const id = `${form}-${name}`;
  const usual = { id, name, autocomplete: 'off', 'aria-describedby': `${id}-hint` } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isSecret ? <input type="password" {...usual} /> : <input type="text" spellcheck={false} {...usual} />}
      <span id={`${id}-hint`} class="hint">
        {hint}
      </span>
    </div>
  );
};

/** A button that asks before it acts. */
export function Confirmed({
  name,
  question,
  disabled = false,
  onYes,
}: {
  name: string;
  question: string;
  disabled?: boolean;
  onYes: () => void;
}): VNode {
  const [isAsked, setAsked] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const isUsed = useRef(false);
  // The focus follows the buttons, and goes to the heading of the section when they are gone with their row.
  useEffect(() => {
    if (isUsed.current) place.current?.querySelector('button')?.focus();
  }, [isAsked]);
  useLayoutEffect(() => {
    const heading = place.current?.closest('section')?.querySelector('h2');
    const element = place.current;
    return () => {
      const { activeElement } = document;
      if (isUsed.current && (activeElement === document.body || element?.contains(activeElement) === true))
        heading?.focus();
    };
  }, []);
  if (!isAsked)
    return (
      <span ref={place}>
        <button
          type="button"
          class="small"
          disabled={disabled}
          onClick={() => {
            isUsed.current = true;
            setAsked(true);
          }}
        >
          {name}
        </button>
      </span>
    );
  const answer = (isYes: boolean) => (): void => {
    setAsked(false);
    if (isYes) onYes();
  };
  return (
    <span class="row" role="group" aria-label={question} ref={place}>
      <span>{question}</span>
      <button type="button" class="small danger" onClick={answer(true)}>
        Yes
      </button>
      <button type="button" class="small" onClick={answer(false)}>
        No
      </button>
    </span>
  );
}
