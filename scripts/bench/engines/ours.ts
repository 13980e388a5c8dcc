/** This service: the in-memory archive with its inverted index. */
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { InvertedIndex } from '../../../server/search/inverted-index/inverted-index.ts';
import { bytesInUse, recordsOf, type Engine } from './engine.ts';

export function createEngine(): Engine {
  const archive = new Archive();
  return {
    async build(file) {
      for await (const record of recordsOf(file)) archive.apply(record);
      archive.index.search(parse('settled'), 'Latest', { after: undefined, limit: 1 });
    },

    search({ text }, { limit, after }) {
      const position = after === undefined ? undefined : [archive.createdAt(after), String(archive.id(after))];
      return archive.index.search(parse(text), 'Latest', { after: position, limit }).items;
    },

    top: ({ text }, limit) => archive.index.search(parse(text), 'Top', { after: undefined, limit }).items,

    /** The archive also stores the tweets, so the memory of a second index is the size of the index. */
    async memory() {
      const before = bytesInUse();
      const second = new InvertedIndex(archive);
      for (const user of archive.users.values()) second.userChanged(user, undefined);
      for (const ordinal of archive.ordinals()) {
        const tweet = archive.tweet(ordinal);
        second.added(ordinal, tweet, second.read(tweet), false);
      }
      second.search(parse('settled'), 'Latest', { after: undefined, limit: 1 });
      const index = bytesInUse() - before;
      // The second search prevents an earlier garbage collection of the index.
      second.search(parse('settled'), 'Latest', { after: undefined, limit: 1 });
      return { index };
    },
  };
}
