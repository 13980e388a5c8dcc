/** Checks that the files of the spec are valid YAML. */
import type { ErrorCode } from 'yaml';
import { parseYaml } from '../yaml.ts';
import type { Fault } from './fault.ts';

const fixes: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'indent it like its neighbours, with spaces, or close a bracket that is still open above.',
  BLOCK_AS_IMPLICIT_KEY:
    'put the text in quotes if it has `: ` in it; otherwise indent the next line like its neighbours.',
  DUPLICATE_KEY: 'keep one of the two.',
  MULTILINE_IMPLICIT_KEY: 'put a colon after the name, or close what is still open above.',
  MISSING_CHAR: 'close the bracket or the quotes.',
  TAB_AS_INDENT: 'indent with spaces.',
  UNEXPECTED_TOKEN: 'put the text in quotes if these characters belong to it.',
};

/** The first YAML syntax error of a file, if any; the other errors usually follow from it. */
export function syntaxFaults(file: string, text: string): Fault[] {
  const { document, lines } = parseYaml(text);
  return document.errors.slice(0, 1).map(({ pos, code, message }) => {
    const { line, col } = lines.linePos(pos[0]);
    return { file, line, column: col, rule: 'yaml-syntax', message, fix: fixes[code] ?? 'correct it as YAML asks.' };
  });
}
