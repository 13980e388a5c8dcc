import type { Topic } from './topic.ts';

export const crypto: Topic = {
  lang: 'en',
  tags: ['crypto', 'DeFi', 'Solana', 'Bitcoin', 'onchain'],
  visual: 0.2,
  words: {
    major: ['$BTC', '$ETH', '$SOL'],
    meme: ['$BONK', '$WIF', '$PEPE', '$DOGE'],
    address: [
      '$BONK DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
      '$SOL So11111111111111111111111111111111111111112',
      '$ETH 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    ],
  },
  posts: [
    '{major} [back above|holding|testing] the {20-200}-day average. [Quiet volume, though.|Funding is flat, which I like.] #{tag}',
    'Contract check, because copies are everywhere: {address} [Compare every character.|Bookmark, do not search.]',
    '{meme} up {12-90} % this week while {major} sleeps. [Attention is the fundamentals.|You know how this ends, and so do I.] 🐶',
    'Moved {major} to a hardware wallet. [Wrote the words on steel.|Tested the restore first!] #{tag}',
    'Gas at {2-14} gwei. [Do your chores now: claims, revokes, moves.|Good night for {major} housekeeping.]',
    '{meme} liquidity on the main pool is about ${1-9}.{1-9} million. Market cap says more. [Read the pool before the chart.|Exit doors matter.]',
    'Revoked {4-40} old approvals today. [You should too.|Two I did not even recognise.] Start with {meme} farms. #{tag}',
    'Snapshot {4-9} of {major} holders: wallets under 1 coin now own {5-18} %. [Slow and steady.|Method: {link}]',
    'Token of the day by volume: {address} [Not advice, just the table.|Looks organic: many small buyers.]',
    'Everyone asks about {meme}. Nobody asks about [position size|unlock schedules|the bridge]. #{tag}',
    '{major} staking yield {2-7}.{1-9} %. [After inflation: less fun.|Solo stakers still here ✋]',
    'Airdrop links in replies are [always a trap|never from me]. The only {meme} page I use is the explorer.',
    'Weekly table: {major} {1-9} %, {major} −{1-6} %, {meme} {10-60} %. [Charts tomorrow.|Sleep well.] 📊 #{tag}',
  ],
  replies: [
    'which pool is the deepest?',
    'contract please? There are three {meme} already',
    'zoom out 😅',
    'not your keys, you know the rest',
    'wen {major}',
    'always compare with the real one: {address}',
    'liquidity is thin, mind the slippage',
  ],
  links: [
    {
      url: 'https://chain.example.org/holders',
      title: 'Counting holders without fooling yourself',
      description: 'Exchanges, dust and the long tail.',
    },
  ],
  threads: [
    [
      'How to check a token before you touch it: five minutes, no tools to buy 🧵',
      'Get the contract from the project’s own page, never from a reply. Example: {address}',
      'Look at the pool. Below $100k of liquidity, your own order is the price.',
      'Who can mint or freeze? If one key can, it is that key’s token, not yours.',
      'Last: would you mind if it went to zero? If yes, smaller. Not advice. #{tag}',
    ],
  ],
};
