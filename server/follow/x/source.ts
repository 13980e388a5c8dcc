/** The live source of X. */
import type { ReadBudget } from './budget.ts';
import { SourceError, type HeldRecords, type LiveSource, type SourceObserver } from '../../ports/live-source.ts';

interface XOptions {
  readonly apiUrl: string;
  readonly token: () => string | undefined;
  readonly budget: ReadBudget;
  readonly held: HeldRecords;
  readonly observer: SourceObserver;
}

export function createXSource(_options: XOptions): LiveSource {
  throw new SourceError('this version cannot follow X', { isPermanent: true });
}
