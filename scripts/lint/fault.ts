/** What is wrong with the spec, and where. */
export type Fault = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The rule that it breaks. */
  readonly rule: string;
  readonly message: string;
  /** What to do about it; undefined where the message says it. */
  readonly mend?: string;
};

/** The faults as text, each with the line it stands on; `texts` holds the files. Beyond `most` they are only counted. */
export function faultReport(faults: readonly Fault[], texts: ReadonlyMap<string, string>, most = Infinity): string {
  const blocks = faults.slice(0, most).map(({ file, line, column, rule, message, mend }) => {
    const source = texts.get(file)?.split('\n')[line - 1];
    const number = String(line);
    const excerpt =
      source === undefined ? [] : [`  ${number} | ${source}`, `  ${' '.repeat(number.length)} | ${' '.repeat(column - 1)}^`];
    return [`${file}:${line}:${column}  ${rule}`, `  ${message}`, ...excerpt, ...(mend ? [`  Mend: ${mend}`] : [])].join('\n');
  });
  const shown = faults.length > most ? `, the first ${most} shown` : '';
  const count = `${faults.length === 1 ? '1 fault' : `${faults.length} faults`}${shown}`;
  return [...blocks, `${count}: nothing was generated.`].join('\n\n');
}
