/** Whether the files of the spec are YAML at all. */
import { LineCounter, parseDocument, type ErrorCode } from 'yaml';
import type { Fault } from './fault.ts';

const mends: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'indent it like its neighbours, with spaces.',
  BLOCK_AS_IMPLICIT_KEY: 'put the text in quotes if it has `: ` in it; otherwise begin a new line.',
  DUPLICATE_KEY: 'keep one of the two.',
  MULTILINE_IMPLICIT_KEY: 'a name ends with a colon on its own line; close what is open above.',
  MISSING_CHAR: 'close the bracket or the quotes.',
  TAB_AS_INDENT: 'indent with spaces.',
  UNEXPECTED_TOKEN: 'put the text in quotes if these characters belong to it.',
};

/** The faults that keep a file from being read as YAML. */
export function syntaxFaults(file: string, text: string): Fault[] {
  const lines = new LineCounter();
  return parseDocument(text, { lineCounter: lines, prettyErrors: false }).errors.map(({ pos, code, message }) => {
    const { line, col } = lines.linePos(pos[0]);
    return { file, line, column: col, rule: 'yaml-syntax', message, mend: mends[code] ?? 'correct it as YAML asks.' };
  });
}
