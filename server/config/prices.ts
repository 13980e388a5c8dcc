/** The prices of models, and what their tokens cost. */
import type { TokenUsage } from '../ports/assistant-provider.ts';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** The price of input tokens that the endpoint had cached; without it they cost as much as others. */
  readonly cached: number;
}

/** The prices by the model that a request names; `*` is the price of all others. */
export type Prices = ReadonlyMap<string, Price>;

/** The name for models without a price of their own. */
export const otherModels = '*';

const amount = String.raw`\d{1,6}(?:\.\d{1,6})?`;
const entry = new RegExp(
  String.raw`^(?<model>[^\s=,]{1,100})=(?<input>${amount})/(?<output>${amount})(?:/(?<cached>${amount}))?$`,
);
export const priceSyntax = "'MODEL=INPUT/OUTPUT' or 'MODEL=INPUT/OUTPUT/CACHED' in dollars for a million tokens";

/** Reads prices such as `grok-4=3/15/0.75,*=5/20`; undefined if the text is no such list. */
export function readPrices(text: string): Prices | undefined {
  const prices = new Map<string, Price>();
  for (const each of text === '' ? [] : text.split(',')) {
    const { model, input, output, cached = input } = entry.exec(each.trim())?.groups ?? {};
    if (model === undefined || prices.has(model)) return undefined;
    prices.set(model, { input: Number(input), output: Number(output), cached: Number(cached) });
  }
  return prices;
}

/** The cost of tokens in dollars. */
export const costOf = ({ input, output, cached }: TokenUsage, price: Price): number =>
  ((input - cached) * price.input + cached * price.cached + output * price.output) / 1e6;
