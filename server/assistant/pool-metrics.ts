/** Prometheus metrics of the account pool, computed at collection. */
import { Counter, Gauge, type Registry } from '../observability/metrics-library.ts';
import type { AccountPool } from '../ports/account-pool.ts';
import type { CostLedger } from './cost-ledger.ts';
import type { Provider } from '../ports/assistant-provider.ts';

export function measurePool(registry: Registry, pool: AccountPool): void {
  new Gauge({
    name: 'assistant_accounts',
    help: 'Accounts of the assistant pool.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { available, cooling, untested, incapable } = pool.status();
      for (const [state, count] of Object.entries({ available, cooling, untested, incapable }))
        this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'assistant_questions',
    help: 'Questions of capable accounts in the rolling 24 hours: capacity, used and remaining.',
    labelNames: ['figure'],
    registers: [registry],
    collect() {
      const { daily_capacity, used_24h, remaining_now } = pool.status().capacity;
      for (const [figure, count] of Object.entries({
        capacity: daily_capacity,
        used: used_24h,
        remaining: remaining_now,
      }))
        this.set({ figure }, count);
    },
  });
  new Counter({
    name: 'assistant_calls_total',
    help: 'Calls to accounts of the pool by outcome, including health checks.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of pool.outcomes) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'assistant_refused_total',
    help: 'Questions rejected because no account was free.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(pool.rejected);
    },
  });
}

/** The tokens that the endpoints of a provider counted; 0 for a provider without tokens. */
export function measureTokens(registry: Registry, provider: Pick<Provider, 'usage'>): void {
  new Counter({
    name: 'assistant_tokens_total',
    help: 'Tokens that the endpoints of the assistant counted.',
    labelNames: ['direction'],
    registers: [registry],
    collect() {
      this.reset();
      const { input, output, cached } = provider.usage ?? { input: 0, output: 0, cached: 0 };
      this.inc({ direction: 'input' }, input);
      this.inc({ direction: 'cached' }, cached);
      this.inc({ direction: 'output' }, output);
    },
  });
}

/** What the tokens cost by the prices of the operator. */
export function measureCosts(
  registry: Registry,
  costs: Pick<CostLedger, 'dollars' | 'unpriced' | 'spentToday' | 'budget'>,
): void {
  new Counter({
    name: 'social_data_assistant_cost_dollars_total',
    help: 'Cost of the tokens of the assistant in dollars, by the model of ASSISTANT_PRICES.',
    labelNames: ['model'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [model, dollars] of costs.dollars) this.inc({ model }, dollars);
    },
  });
  new Counter({
    name: 'social_data_assistant_cost_unpriced_total',
    help: 'Reports of tokens of models without a price.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(costs.unpriced);
    },
  });
  new Gauge({
    name: 'social_data_assistant_cost_today_dollars',
    help: 'Cost of the assistant today (UTC) in dollars, and its budget for a day if there is one.',
    labelNames: ['figure'],
    registers: [registry],
    collect() {
      this.reset();
      this.set({ figure: 'spent' }, costs.spentToday);
      if (costs.budget !== undefined) this.set({ figure: 'budget' }, costs.budget);
    },
  });
}
