/** The thread of `counted-characters.ts`: counts the work of functions of a module on texts. */
import { parentPort, workerData } from 'node:worker_threads';

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

let count = 0;
const strings = String.prototype as unknown as Record<string, Method>;
const expressions = RegExp.prototype as unknown as { exec(text: string): RegExpExecArray | null };

function wrap(name: string, cost: (text: string, args: unknown[], result: unknown) => number): void {
  const original = strings[name]!;
  strings[name] = function (...args) {
    const result = original.apply(this, args);
    count += 1 + cost(this, args, result);
    return result;
  };
}

/** Makes the methods of strings and regular expressions count, from now on. */
function startCounting(): void {
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
}

const functions = (await import(workerData as string)) as Record<string, (...args: readonly unknown[]) => unknown>;
startCounting();
parentPort?.on('message', async ({ name, args }: { name: string; args: readonly unknown[] }) => {
  const run = functions[name];
  count = 0;
  await run?.(...args);
  parentPort?.postMessage(run === undefined ? undefined : count);
});
