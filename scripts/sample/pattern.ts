/** Text patterns: `[one|other|]` is one of the choices, `{3-12}` a number, `{name}` a word of the topic; they nest. */
import type { Random } from './random.ts';

/** Words by name; a value is a pattern itself. */
export type Words = Record<string, readonly string[]>;

/** Expands the pattern; a word repeats only when no other word is left. Throws an Error for a name without words. */
export function expand(random: Random, pattern: string, words: Words, used = new Set<string>()): string {
  const text = choose(random, pattern).replace(
    /\{(?:(\d+)-(\d+)|(\w+))\}/g,
    (_, low?: string, high?: string, name = '') => {
      if (low !== undefined && high !== undefined) return String(random.integer(Number(low), Number(high)));
      const known = words[name];
      if (known === undefined) throw new Error(`pattern '${pattern}' uses '${name}', which has no words`);
      const fresh = known.filter((word) => !used.has(word));
      const word = random.pick(fresh.length === 0 ? known : fresh);
      used.add(word);
      return expand(random, word, words, used);
    },
  );
  return text.replace(/ {2,}/g, ' ').trim();
}

/** Resolves the choices, innermost first. */
function choose(random: Random, pattern: string): string {
  let text = pattern;
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/\[([^[\]]*)\]/g, (_, choices: string) => random.pick(choices.split('|')));
  }
  return text;
}
