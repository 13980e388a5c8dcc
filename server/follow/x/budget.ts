/** The budget of reads of X. */
import type { Store } from '../../ports/storage.ts';

export interface ReadBudget {
  /** The posts that can be read today. */
  readonly left: number;
}

export const openReadBudget = async (_store: Pick<Store, 'document'>, left: number): Promise<ReadBudget> => ({ left });
