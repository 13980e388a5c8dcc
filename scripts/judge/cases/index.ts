/** The judged set. */
import type { JudgedCase } from '../rubric.ts';
import { real } from './real.ts';
import { sampleEnglish } from './sample-english.ts';
import { sampleLanguages } from './sample-languages.ts';

export const judgedCases: readonly JudgedCase[] = [...sampleEnglish, ...sampleLanguages, ...real];
