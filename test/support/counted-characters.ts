/** Counts the work of functions on texts, for tests of how it grows: a count is the same on every machine. */

type Method = (this: string, ...args: unknown[]) => unknown;

/** What reads a text, as far as it says where: methods of strings. Those that answer a part of it count the part. */
const whole = [
  'replace',
  'replaceAll',
  'match',
  'search',
  'split',
  'includes',
  'toLowerCase',
  'toUpperCase',
  'normalize',
  'toWellFormed',
  'isWellFormed',
  'trim',
  'trimEnd',
  'trimStart',
] as const;
const parts = ['slice', 'substring', 'at', 'concat', 'repeat'] as const;

/**
 * The characters that the methods of strings and regular expressions handle until a function has ended, an upper
 * bound for what they look at. It tells how often a text is read again, not how often an expression goes back in it.
 */
export async function countedCharacters(run: () => unknown): Promise<number> {
  let count = 0;
  const strings = String.prototype as unknown as Record<string, Method>;
  const expressions = RegExp.prototype as unknown as { exec(text: string): RegExpExecArray | null };
  const originals = new Map<string, Method>();
  const wrap = (name: string, cost: (text: string, args: unknown[], result: unknown) => number): void => {
    const original = strings[name]!;
    originals.set(name, original);
    strings[name] = function (...args) {
      const result = original.apply(this, args);
      count += 1 + cost(this, args, result);
      return result;
    };
  };
  for (const name of whole) wrap(name, ({ length }) => length);
  for (const name of parts) wrap(name, (_text, _args, result) => String(result).length);
  wrap('indexOf', ({ length }, [, from = 0], found) => (found === -1 ? length : Number(found)) - Number(from));
  const { exec } = RegExp.prototype;
  expressions.exec = function (this: RegExp, text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    // A sticky expression looks at one place only.
    const to = found === null ? (this.sticky ? from : text.length) : found.index + found[0].length;
    count += 1 + to - from;
    return found;
  };
  try {
    await run();
  } finally {
    for (const [name, original] of originals) strings[name] = original;
    RegExp.prototype.exec = exec;
  }
  return count;
}
