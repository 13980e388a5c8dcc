/** The findings of a check of a data directory. */

export interface Finding {
  /** The path below the data directory. */
  readonly file: string;
  /** The first and the last damaged line, from 1; absent if the whole file is meant. */
  readonly line?: number;
  readonly lastLine?: number;
  /** The byte at which the first damaged line begins. */
  readonly offset?: number;
  /** The fault. */
  readonly reason: string;
  /** The action of `--repair`, or the necessary action of the operator. */
  readonly remedy: string;
}

/** The maximum number of stored findings: a file of another program has one in each line. */
const maxFindings = 10_000;

/** Collects findings. Damage in consecutive lines with the same reason is one finding. */
export class Findings {
  /** Damage: the service does not start, or does not serve what the file should hold. */
  readonly damage: Finding[] = [];
  /** Facts that need no repair. */
  readonly notes: string[] = [];
  /** Findings beyond the limit. */
  unlisted = 0;

  get isWhole(): boolean {
    return this.damage.length === 0;
  }

  add(finding: Finding): void {
    const last = this.damage.at(-1);
    if (last !== undefined && isNextLine(last, finding)) {
      this.damage[this.damage.length - 1] = { ...last, lastLine: finding.line! };
      return;
    }
    if (this.damage.length < maxFindings) this.damage.push(finding);
    else this.unlisted++;
  }

  note(text: string): void {
    this.notes.push(text);
  }
}

const isNextLine = (last: Finding, { file, line, reason }: Finding): boolean =>
  line !== undefined && last.file === file && last.reason === reason && (last.lastLine ?? last.line) === line - 1;

/** A finding as one line of text. */
export function describeFinding({ file, line, lastLine, offset, reason, remedy }: Finding): string {
  const place = line === undefined ? '' : lastLine === undefined ? `, line ${line}` : `, lines ${line} to ${lastLine}`;
  return `${file}${place}${offset === undefined ? '' : ` (byte ${offset})`}: ${reason}; ${remedy}`;
}
