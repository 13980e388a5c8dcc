/** Builds cases from short rows. */
import type { EvalCase, EvalSet, QuestionType } from '../rubric.ts';

type Want = Omit<EvalCase, 'set' | 'tweet' | 'type' | 'prompts'>;
/** The type of the last question, the question or the questions of a conversation, and what a careful reader accepts. */
export type Row = readonly [type: QuestionType, prompt: string | null | readonly (string | null)[], want: Want];

/** The cases about one tweet. */
export const about = (set: EvalSet, tweet: string, rows: readonly Row[]): EvalCase[] =>
  rows.map(([type, prompt, want]) => ({
    set,
    tweet,
    type,
    prompts: typeof prompt === 'object' && prompt !== null ? prompt : [prompt],
    ...want,
  }));
