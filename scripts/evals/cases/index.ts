/** The cases of the evals. */
import { createHash } from 'node:crypto';
import type { EvalCase } from '../rubric.ts';
import { asked } from './asked.ts';
import { developed } from './developed.ts';
import { everyday, everydayHeldOut } from './everyday.ts';
import { heldOut } from './held-out.ts';
import { paraphrased } from './paraphrased.ts';

/** Whether a case of `asked.ts` is held out: a third of them, by a hash of the tweet and the questions. */
const isHeldOut = ({ tweet, prompts }: EvalCase): boolean =>
  createHash('sha256')
    .update(JSON.stringify([tweet, prompts]))
    .digest()
    .readUInt32BE() %
    3 ===
  0;

/** The cases that the provider was developed with, and those that were written before it and whose answers nobody read meanwhile. */
export const splits = [
  { name: 'developed', cases: [...developed, ...everyday, ...asked.filter((each) => !isHeldOut(each))] },
  { name: 'held out', cases: [...heldOut, ...everydayHeldOut, ...asked.filter(isHeldOut)] },
] as const satisfies readonly { readonly name: string; readonly cases: readonly EvalCase[] }[];

export const evalCases: readonly EvalCase[] = [...splits.flatMap(({ cases }) => cases), ...paraphrased];
