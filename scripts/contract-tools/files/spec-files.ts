/** Reads a spec that may consist of several files. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sharedValue } from './yaml.ts';
import { isRemote, referenceIn, referencesIn } from './references.ts';

/** The texts of a spec. A file that could not be read is missing. */
export interface SpecFiles {
  /** The path of the document that refers to the others. */
  readonly entry: string;
  /** By path: from the folder of the project, with `/`. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Reads the text of a file; undefined where there is none. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/** Reads files of a folder. */
export const filesOf =
  (folder: string): ReadFile =>
  (path) =>
    readFile(resolve(folder, path), 'utf8').catch(() => undefined);

/** Reads a document and all files that it refers to, directly or indirectly. Files with errors refer to nothing. */
export async function collectFiles(entry: string, read: ReadFile): Promise<SpecFiles> {
  const texts = new Map<string, string>();
  const seen = new Set([entry]);
  let next = [entry];
  while (next.length > 0) {
    const found = await Promise.all(next.map(async (file) => [file, await read(file)] as const));
    next = [];
    for (const [file, text] of found) {
      if (text === undefined) continue;
      texts.set(file, text);
      for (const other of filesNamedIn(file, text)) {
        if (!seen.has(other)) next.push(other);
        seen.add(other);
      }
    }
  }
  return { entry, texts };
}

/** A reference as most files write it. */
const plainReference = /\$ref['"]?\s*:\s*(?:'([^'\n]*)'|"([^"\\\n]*)"|([^\s'"{}[\],&*!|>%@`][^\s{}[\],]*))/g;

/** The other files that a text refers to. */
function filesNamedIn(file: string, text: string): string[] {
  const plain = [...text.matchAll(plainReference)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');
  // A parser takes a hundred times as long, and most texts do not need it.
  const needsParser = text.split('$ref').length - 1 !== plain.length || /\bmapping['"]?\s*:/.test(text);
  const references = needsParser ? [...referencesIn(sharedValue(text))].map(({ $ref }) => $ref) : plain;
  return references.flatMap(($ref) => (isRemote($ref) ? [] : (referenceIn(file, $ref).file ?? [])));
}
