/** FlexSearch with the tokenizer of this service: an index of texts and one of authors. This file intersects the results and filters them. */
import { tokensOf } from '../../../server/search/language/tokenizer.ts';
import { importPeer } from '../peer-packages.ts';
import { accepts, tokenLine, pageOf, plainTweets, type Engine, type PlainTweet } from './engine.ts';

interface Index {
  add(id: number, text: string): void;
  search(query: string, options: { limit: number }): number[];
}

export async function createEngine(): Promise<Engine> {
  const { Index } = (await importPeer<{ default: { Index: new (options: object) => Index } }>('flexsearch')).default;
  const texts = new Index({ tokenize: 'strict', encode: tokensOf });
  const authors = new Index({ tokenize: 'strict', encode: (text: string) => [text] });
  const tweets: (Omit<PlainTweet, 'n' | 'text'> & { readonly line: string })[] = [];
  return {
    async build(file) {
      for await (const { n, text, ...tweet } of plainTweets(file)) {
        texts.add(n, text);
        authors.add(n, tweet.author);
        tweets.push({ ...tweet, line: tokenLine(text) });
      }
    },

    search(query, page) {
      const limit = tweets.length;
      const single = query.groups.filter((group) => group.length === 1).flat();
      const found = [
        ...(single.length === 0 ? [] : [texts.search(single.join(' '), { limit })]),
        ...query.groups
          .filter((group) => group.length > 1)
          .map((group) => group.flatMap((word) => texts.search(word, { limit }))),
        ...(query.author === undefined ? [] : [authors.search(query.author, { limit })]),
      ].map((ids) => new Set(ids));
      const all = found.reduce((a, b) => a.intersection(b));
      return pageOf(
        [...all].filter((n) => {
          const tweet = tweets[n];
          return tweet !== undefined && accepts(query, tweet);
        }),
        page,
      );
    },
  };
}
