/** The judged set. */
import type { JudgedCase } from '../rubric.ts';
import { heldOut } from './held-out.ts';
import { real } from './real.ts';
import { sampleEnglish } from './sample-english.ts';
import { sampleLanguages } from './sample-languages.ts';

/** The set that the provider was tuned with, and the one that it was not. */
export const splits = [
  { name: 'tuned', cases: [...sampleEnglish, ...sampleLanguages, ...real] },
  { name: 'held out', cases: heldOut },
] as const satisfies readonly { readonly name: string; readonly cases: readonly JudgedCase[] }[];

export const judgedCases: readonly JudgedCase[] = splits.flatMap(({ cases }) => cases);
