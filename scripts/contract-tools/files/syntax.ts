/** Checks that the files of the spec are valid YAML. */
import { isMap, type ErrorCode } from 'yaml';
import { parseYaml, sharedValue } from './yaml.ts';
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

/** The lines that git writes around the two sides of a conflict. */
const conflict = /^(?:<{7} |={7}$|>{7} )/m;

/** A fault of a file as a whole, or of the place at an offset. */
function faultAt(text: string, offset: number, rest: Pick<Fault, 'file' | 'rule' | 'message' | 'fix'>): Fault {
  const before = text.slice(0, offset).split('\n');
  return { ...rest, line: before.length, column: before.at(-1)!.length + 1 };
}

/**
 * The first fault that keeps a file from being read as an object in YAML, if any; other errors usually follow from it. A part
 * of a document need not be an object.
 */
export function syntaxFaults(file: string, text: string, isPart = false): Fault[] {
  const marker = conflict.exec(text);
  if (marker !== null && /^<{7} /m.test(text) && /^>{7} /m.test(text))
    return [
      faultAt(text, marker.index, {
        file,
        rule: 'merge-conflict',
        message: 'Git could not merge two versions of these lines.',
        fix: 'keep what is right of both, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>.',
      }),
    ];
  if (text.startsWith('{') && sharedValue(text) !== undefined) return [];
  const { document, lines } = parseYaml(text);
  const errors = document.errors.slice(0, 1).map(({ pos, code, message }) => {
    const { line, col } = lines.linePos(pos[0]);
    return { file, line, column: col, rule: 'yaml-syntax', message, fix: fixes[code] ?? 'correct it as YAML asks.' };
  });
  if (errors.length > 0 || isMap(document.contents) || (isPart && document.contents !== null)) return errors;
  const isEmpty = document.contents === null;
  return [
    faultAt(text, document.contents?.range?.[0] ?? 0, {
      file,
      rule: 'yaml-syntax',
      message: isEmpty ? 'The file is empty.' : 'The file is not an object with names and values.',
      fix: isEmpty
        ? 'restore the file, for example with git, or delete it if nothing needs it.'
        : 'begin with names at the start of a line, such as `openapi: 3.1.0`.',
    }),
  ];
}
