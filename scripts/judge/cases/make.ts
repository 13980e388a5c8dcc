/** Builds cases from short rows. */
import type { JudgedCase } from '../rubric.ts';

/** Maximum lengths in characters: of an answer, and of an explanation or a list. */
const usualMax = 900;
const longMax = 2200;

type Rest = Partial<Pick<JudgedCase, 'has' | 'never' | 'max'>>;
/** A question, or the questions of a conversation; what the first paragraph must have; and the rest. */
export type Row = readonly [prompt: string | null | readonly string[], lead: string | readonly string[], rest?: Rest];

/** The cases about one tweet. */
export const about = (set: string, tweet: string, rows: readonly Row[]): JudgedCase[] =>
  rows.map(([prompt, lead, rest = {}]) => ({
    set,
    tweet,
    prompts: typeof prompt === 'object' && prompt !== null ? prompt : [prompt],
    lead: typeof lead === 'string' ? [lead] : lead,
    max: prompt === null ? longMax : usualMax,
    ...rest,
  }));
