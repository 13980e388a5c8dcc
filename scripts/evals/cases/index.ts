/** The cases of the evals. */
import type { EvalCase } from '../rubric.ts';
import { developed } from './developed.ts';
import { heldOut } from './held-out.ts';

/** The cases that the provider was developed with, and those that were written before it and not looked at meanwhile. */
export const splits = [
  { name: 'developed', cases: developed },
  { name: 'held out', cases: heldOut },
] as const satisfies readonly { readonly name: string; readonly cases: readonly EvalCase[] }[];

export const evalCases: readonly EvalCase[] = splits.flatMap(({ cases }) => cases);
