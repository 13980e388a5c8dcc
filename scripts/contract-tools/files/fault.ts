/** A fault of the spec with its position. */
export type Fault = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The rule that it breaks. */
  readonly rule: string;
  readonly message: string;
  /** Whether it does not keep the spec from being used. */
  readonly isWarning?: boolean;
  /** What to do about it; undefined where the message says it. */
  readonly fix?: string;
};

/** Options of the output. */
export interface Telling {
  /** What came of them. */
  readonly outcome?: string;
  /** Beyond so many they are only counted. */
  readonly most?: number;
  /** What they are called, in the singular. */
  readonly noun?: string;
}

/** The faults as text, each with the line it stands on; `texts` holds the files. */
export function faultReport(
  faults: readonly Fault[],
  texts: ReadonlyMap<string, string>,
  { outcome = 'nothing was generated', most = Infinity, noun = 'fault' }: Telling = {},
): string {
  const blocks = faults.slice(0, most).map(({ file, line, column, rule, message, fix }) => {
    const source = texts.get(file)?.split('\n')[line - 1];
    const number = String(line);
    // A JSON document in one line has no line to show.
    const excerpt =
      source === undefined || source.length > 500
        ? []
        : [`  ${number} | ${source}`, `  ${' '.repeat(number.length)} | ${' '.repeat(column - 1)}^`];
    return [`${file}:${line}:${column}  ${rule}`, `  ${message}`, ...excerpt, ...(fix ? [`  Fix: ${fix}`] : [])].join(
      '\n',
    );
  });
  const shown = faults.length > most ? `, the first ${most} shown` : '';
  const count = `${faults.length} ${noun}${faults.length === 1 ? '' : 's'}`;
  return [...blocks, `${count}${shown}: ${outcome}.`].join('\n\n');
}
