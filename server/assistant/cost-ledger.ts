/** Counts what the tokens of the assistant cost, and refuses questions when the budget of a day is spent. */
import type { Logger } from 'pino';
import { unavailable } from '../contract/service-error.ts';
import type { TokenUsage } from '../ports/assistant-provider.ts';
import type { Document, Store } from '../ports/storage.ts';
import { messageOf } from '../text/error-text.ts';
import { costOf, otherModels, type Prices } from '../config/prices.ts';

/** What was spent on a day in UTC, such as `2026-03-04`. */
interface DayCost {
  day: string;
  dollars: number;
}

export interface CostOptions {
  readonly prices: Prices;
  /** Dollars for each day in UTC; undefined: no limit. */
  readonly budget: number | undefined;
  /** What was spent today, also before the start and by other instances; needed with a budget. */
  readonly document?: Pick<Document<DayCost>, 'data' | 'update'> | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The costs since the start, and today. */
export class CostLedger {
  readonly budget: number | undefined;
  readonly #options: CostOptions;
  readonly #dollars = new Map<string, number>();
  #unpriced = 0;
  /** What is not written yet, and its day. */
  #pending: DayCost;
  #writing: Promise<void> | undefined;

  constructor(options: CostOptions) {
    this.#options = options;
    this.budget = options.budget;
    this.#pending = { day: dayOf(options.now()), dollars: 0 };
    // The metric has a value before the first cost.
    for (const model of [...options.prices.keys(), otherModels]) this.#dollars.set(model, 0);
  }

  /** Dollars by the names of the prices, since the start. */
  get dollars(): ReadonlyMap<string, number> {
    return this.#dollars;
  }

  /** The reports of tokens of models without a price, since the start. */
  get unpriced(): number {
    return this.#unpriced;
  }

  /** Dollars that were spent today. */
  get spentToday(): number {
    const today = dayOf(this.#options.now());
    return [this.#options.document?.data, this.#pending]
      .filter((each) => each?.day === today)
      .reduce((sum, each) => sum + (each?.dollars ?? 0), 0);
  }

  /** Counts the tokens of a request to a model. */
  readonly count = (model: string, usage: TokenUsage): void => {
    const { prices } = this.#options;
    const name = prices.has(model) ? model : otherModels;
    const price = prices.get(name);
    if (price === undefined) {
      this.#unpriced++;
      return;
    }
    const cost = costOf(usage, price);
    this.#dollars.set(name, (this.#dollars.get(name) ?? 0) + cost);
    this.#add(cost);
  };

  /** Throws ServiceError 503 if the budget of the day is spent. A question that began before may exceed it. */
  check(): void {
    if (this.budget === undefined || this.spentToday < this.budget) return;
    const now = this.#options.now();
    const seconds = Math.max(1, Math.ceil((Date.parse(`${dayOf(now)}T00:00:00Z`) + dayMs - now) / 1000));
    throw unavailable(`the assistant has spent its budget of today; retry in ${seconds} s`, seconds);
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #add(cost: number): void {
    const today = dayOf(this.#options.now());
    this.#pending = { day: today, dollars: cost + (this.#pending.day === today ? this.#pending.dollars : 0) };
    this.#write();
  }

  /** Adds to the document, which other instances write too. After a failure, the next cost tries again. */
  #write(): void {
    const { document, logger } = this.#options;
    if (document === undefined || this.#writing !== undefined || this.#pending.dollars === 0) return;
    const { day, dollars } = this.#pending;
    const added = document.update((data) => {
      if (data.day > day) return;
      Object.assign(data, { day, dollars: (data.day === day ? data.dollars : 0) + dollars });
    });
    this.#writing = added.then(
      () => {
        if (this.#pending.day === day) this.#pending = { day, dollars: this.#pending.dollars - dollars };
        this.#writing = undefined;
        this.#write();
      },
      (error: unknown) => {
        this.#writing = undefined;
        logger.warn({ reason: messageOf(error) }, 'the cost of the assistant could not be stored');
      },
    );
  }
}

/** Opens the ledger of a store. Throws StoreError if the document is damaged. */
export const openCostLedger = async (
  store: Pick<Store, 'document' | 'now'>,
  options: Pick<CostOptions, 'prices' | 'budget' | 'logger'>,
): Promise<CostLedger> =>
  new CostLedger({
    ...options,
    now: store.now,
    document:
      options.budget === undefined
        ? undefined
        : await store.document<DayCost>('assistant-cost', { day: '', dollars: 0 }),
  });
