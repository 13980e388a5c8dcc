/** The cost of the assistant: prices, the tokens of each API, the budget of a day, and its metrics. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Registry } from '@prometheus-io/client';
import { CostLedger, openCostLedger } from '../../server/assistant/cost-ledger.ts';
import { measureCosts } from '../../server/assistant/pool-metrics.ts';
import { costOf, readPrices, type Prices } from '../../server/config/prices.ts';
import { openaiProvider } from '../../server/assistant/providers/openai.ts';
import { ServiceError } from '../../server/contract/service-error.ts';
import { accountOf, allForms, endpoint } from './providers/endpoint.ts';
import { build, question } from './providers/subjects.ts';
import { calling } from './providers/tool-calls.ts';

const upstream = endpoint();
beforeAll(() => upstream.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => upstream.server.close());

const prices = readPrices('m-1=2/10/0.5,*=4/20')!;
const noon = Date.parse('2026-03-04T12:00:00Z');
const logger = { warn: () => {} };
const million = { input: 1e6, output: 0, cached: 0 };

function ledger(budget?: number, given: Prices = prices) {
  let now = noon;
  const document = {
    data: { day: '', dollars: 0 },
    fails: false,
    async update(mutate: (data: { day: string; dollars: number }) => void) {
      // The data show a change when it is durable.
      await Promise.resolve();
      if (document.fails) throw new Error('the disk is full');
      mutate(document.data);
    },
  };
  const options = { prices: given, budget, document, now: () => now, logger };
  return { costs: new CostLedger(options), document, options, at: (ms: number) => void (now = ms) };
}

describe('prices', () => {
  test.each(['m', 'm=1', 'm=1/2/3/4', 'm=-1/2', 'm=1e9/2', 'm=1/2,m=1/2', '=1/2', 'm=1/2,', 'm=1/,'])(
    '%j are none',
    (text) => {
      expect(readPrices(text)).toBeUndefined();
    },
  );

  test('are of a million tokens; without a price of its own a cached token costs as much as another one', () => {
    const usage = { input: 1_000_000, output: 100_000, cached: 400_000 };
    expect(costOf(usage, prices.get('m-1')!)).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10, 9);
    expect(costOf(usage, prices.get('*')!)).toBeCloseTo(4 + 2, 9);
    expect(readPrices('')!.size).toBe(0);
  });
});

describe.each(allForms)('the cost with the %s API', (api) => {
  test('has the cached tokens at their price, streamed or not, and each request of a question', async () => {
    for (const onText of [undefined, () => {}]) {
      const { costs } = ledger();
      upstream.answer(({ body }, count) =>
        calling(api, body, count === 1 ? [{ id: 'c', name: 'search_posts', input: { query: 'a' } }] : [], 'Fine.'),
      );
      const options = { signal: new AbortController().signal, questions: 1, onText };
      const account = accountOf(api, { model: 'm-1' });
      await openaiProvider(8, costs.count).ask(account, question(build), options);
      // Two requests with 10 tokens of input beside 30 cached ones, and 7 of output.
      expect(costs.dollars.get('m-1')).toBeCloseTo((2 * (10 * 2 + 30 * 0.5 + 7 * 10)) / 1e6, 12);
      expect(costs.unpriced).toBe(0);
    }
  });
});

test('a stream of the chat API asks for its tokens only where prices are set', async () => {
  upstream.answer(({ body }) => calling('chat', body, [], 'Fine.'));
  const options = { signal: new AbortController().signal, questions: 1, onText: () => {} };
  await openaiProvider(8, ledger().costs.count).ask(accountOf('chat'), question(build), options);
  expect(upstream.asked[0]!.body['stream_options']).toEqual({ include_usage: true });
  await openaiProvider(8).ask(accountOf('chat'), question(build), options);
  expect(Object.keys(upstream.asked[1]!.body)).not.toContain('stream_options');
});

describe('the budget', () => {
  test('refuses questions from the moment it is spent until midnight', async () => {
    const { costs, at } = ledger(5);
    costs.check();
    costs.count('m-1', { ...million, output: 250_000 });
    costs.check();
    costs.count('another model', million);
    let refused: unknown;
    try {
      costs.check();
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': '43200' } });
    await costs.settled();
    expect(() => costs.check()).toThrow('the assistant has spent its budget of today; retry in 43200 s');
    at(noon + 43_200_000);
    costs.check();
    expect(costs.spentToday).toBe(0);
  });

  test('counts what was spent before the start and by other instances', async () => {
    const { costs, document, options } = ledger(5);
    costs.count('m-1', million);
    await costs.settled();
    expect(document.data).toEqual({ day: '2026-03-04', dollars: 2 });
    document.data.dollars += 2;
    expect(new CostLedger(options).spentToday).toBe(4);
    costs.count('m-1', million);
    expect(costs.spentToday).toBe(6);
    await costs.settled();
    expect(document.data.dollars).toBe(6);
    expect(() => new CostLedger(options).check()).toThrow(ServiceError);
  });

  test('holds while its document cannot be written, and is written later', async () => {
    const { costs, document } = ledger(3);
    document.fails = true;
    costs.count('m-1', million);
    costs.count('m-1', million);
    await costs.settled();
    expect(() => costs.check()).toThrow(ServiceError);
    document.fails = false;
    costs.count('m-1', million);
    await costs.settled();
    expect(document.data).toEqual({ day: '2026-03-04', dollars: 6 });
    expect(costs.spentToday).toBe(6);
  });

  test('needs no document where there is none', async () => {
    const store = { now: () => noon, document: () => Promise.reject(new Error('opened')) };
    const costs = await openCostLedger(store, { prices, budget: undefined, logger });
    costs.count('m-1', million);
    costs.check();
    expect(costs.spentToday).toBe(2);
  });
});

test('the metrics have the cost of each model, the requests without a price, and the budget', async () => {
  const registry = new Registry();
  const { costs } = ledger(9, readPrices('m-1=2/10')!);
  measureCosts(registry, costs);
  costs.count('m-1', million);
  costs.count('other', million);
  const text = await registry.metrics();
  expect(text).toContain('social_data_assistant_cost_dollars_total{model="m-1"} 2\n');
  expect(text).toContain('social_data_assistant_cost_unpriced_total 1\n');
  expect(text).toContain('social_data_assistant_cost_today_dollars{figure="spent"} 2\n');
  expect(text).toContain('social_data_assistant_cost_today_dollars{figure="budget"} 9\n');
});
