/** Identifies the program that builds the tables: another tokenizer, another ranking or another layout is another program. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders below `server` whose code decides what the tables contain. */
const folders = ['collections', 'domain', 'platforms/archive', 'search', 'text'];
const root = fileURLToPath(new URL('../../', import.meta.url));

let known: string | undefined;

/**
 * A hash of the code, of the version of Node, which has the Unicode data of the tokenizer, and of the order of bytes. Undefined
 * where the code cannot be read.
 */
export function codeFingerprint(): string | undefined {
  try {
    return (known ??= computed());
  } catch {
    return undefined;
  }
}

function computed(): string {
  const hash = createHash('sha256').update(`${process.version} ${endianness()}`);
  for (const folder of folders)
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).toSorted(byPath)) {
      if (!entry.isFile()) continue;
      hash.update(`\0${pathOf(entry).slice(root.length)}\0`).update(readFileSync(pathOf(entry)));
    }
  return hash.digest('hex').slice(0, 32);
}

type Entry = { readonly parentPath: string; readonly name: string };
const pathOf = ({ parentPath, name }: Entry): string => join(parentPath, name);
const byPath = (a: Entry, b: Entry): number => (pathOf(a) < pathOf(b) ? -1 : 1);
