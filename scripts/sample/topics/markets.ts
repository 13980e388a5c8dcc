import type { Topic } from './topic.ts';

export const markets: Topic = {
  lang: 'en',
  tags: ['markets', 'stocks', 'earnings', 'macro', 'investing'],
  visual: 0.2,
  words: {
    stock: ['$NVDA', '$AMD', '$TSLA', '$AAPL', '$MSFT', '$ASML', '$TSM', '$SPY', '$QQQ'],
    coin: ['$BTC', '$ETH', '$SOL'],
  },
  posts: [
    '{stock} [up|down] {1-9}.{1-9} % on [guidance|volume|no news at all]. [The market knew by Tuesday.|Zoom out.] #{tag}',
    '{stock} and {stock} moving together again: correlation 0.{71-97} over {20-90} days. [Diversified, they said.|One trade, two tickers.]',
    'Earnings tonight: {stock}. Options imply ±{4-12} %. [I have no position and good popcorn.|Margins matter more than revenue.] #{tag}',
    'Notes after the {stock} call: [inventory down, tone calm|everyone says efficiency|capex is the story]. Full notes: {link}',
    'Reminder: {stock} has had {2-7} drawdowns of more than 20 % in ten years. [Holding is a skill.|Size your position so that you sleep.]',
    'Yields [up|down] {3-18} basis points, {stock} does not care. [Yet.|Liquidity first.] #{tag}',
    '{coin} against {stock} since January: [not the chart you expect|nearly the same line]. [Beta by another name.|Draw your own conclusion.] 📈',
    'Rebalanced today: trimmed {stock}, added [short bonds|cash|boring utilities]. Rules, not feelings. Not advice.',
    'What is your [base rate|stop|holding period] for {stock}? Mine is written on paper by the desk.',
    'Semis breadth: {30-90} % above their 50-day. {stock} leads, {stock} lags. #{tag}',
    'Ten minutes with the annual report of {stock} beat ten hours of threads. [Start at the cash flow.|Read the footnotes on leases.]',
    'A fund fee of 1 % costs about {18-26} % of the final sum over 25 years. [Compound interest works both ways.|{who} made the table.] #{tag}',
  ],
  replies: [
    'what about the [cash flow|debt wall|currency]?',
    'priced in since last week',
    '{stock} is the better one here',
    'not advice, but I agree',
    'source for that correlation?',
    'I would wait for the close',
  ],
  links: [
    {
      url: 'https://ledger.example.org/call-notes',
      title: 'Call notes, without adjectives',
      description: 'Numbers first, quotes second.',
    },
  ],
  threads: [
    [
      'How to read a cash flow statement in {5-9} minutes, with {stock} as the example 🧵',
      'Begin with cash from operations. If profit grows and this does not, ask why.',
      'Then capital spending. {stock} spends about {8-30} % of sales; what would be left if it stopped?',
      'Last: where did the rest go? Buybacks, debt, or the drawer. That is all. Not advice. #{tag}',
    ],
  ],
};
