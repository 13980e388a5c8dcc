/** Builds cases from short rows. */
import type { JudgedCase, JudgedSet, QuestionType } from '../rubric.ts';

type Want = Omit<JudgedCase, 'set' | 'tweet' | 'type' | 'prompts'>;
/** The type of the last question, the question or the questions of a conversation, and what a careful reader accepts. */
export type Row = readonly [type: QuestionType, prompt: string | null | readonly (string | null)[], want: Want];

/** The cases about one tweet. */
export const about = (set: JudgedSet, tweet: string, rows: readonly Row[]): JudgedCase[] =>
  rows.map(([type, prompt, want]) => ({
    set,
    tweet,
    type,
    prompts: typeof prompt === 'object' && prompt !== null ? prompt : [prompt],
    ...want,
  }));
