/** This service: its archive in memory, with its index. */
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { InvertedIndex } from '../../../server/search/inverted-index/inverted-index.ts';
import { bytesInUse, recordsOf, type Engine } from './engine.ts';

export function createEngine(): Engine {
  const archive = new Archive();
  return {
    async build(file) {
      for await (const record of recordsOf(file)) archive.apply(record);
      archive.index.search('settled', 'Latest', { after: undefined, limit: 1 });
    },

    search({ text }, { limit, after }) {
      const position = after === undefined ? undefined : [archive.createdAt(after), String(archive.id(after))];
      return archive.index.search(text, 'Latest', { after: position, limit }).items;
    },

    /** The archive holds the tweets too: what a second index over it takes is what an index takes. */
    async memory() {
      const before = bytesInUse();
      const second = new InvertedIndex(archive);
      for (const user of archive.users.values()) second.userChanged(user, undefined);
      for (const ordinal of archive.ordinals()) second.added(ordinal);
      second.search('settled', 'Latest', { after: undefined, limit: 1 });
      const index = bytesInUse() - before;
      // Asked once more, so that it is still there.
      second.search('settled', 'Latest', { after: undefined, limit: 1 });
      return { index };
    },
  };
}
