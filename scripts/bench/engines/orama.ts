/** Orama with the tokenizer of this service, and its own filters, order and paging. This file filters the results of phrases. */
import { tokensOf } from '../../../server/search/language/tokenizer.ts';
import { accepts, tokenLine, pageOf, importPeer, plainTweets, type Engine, type PlainTweet } from './engine.ts';

type Stored = Omit<PlainTweet, 'text'> & { readonly line: string };
interface Orama {
  create(options: object): unknown;
  insertMultiple(database: unknown, documents: object[], batchSize: number): Promise<unknown>;
  search(database: unknown, query: object): Promise<{ hits: { document: Stored }[] }>;
}

const batchSize = 1000;

export async function createEngine(): Promise<Engine> {
  const { create, insertMultiple, search } = await importPeer<Orama>('@orama/orama');
  const database = create({
    schema: { line: 'string', author: 'enum', createdAt: 'number', likes: 'number', n: 'number' },
    components: {
      tokenizer: {
        language: 'english',
        normalizationCache: new Map(),
        tokenize: (text: string) => [...new Set(tokensOf(text))],
      },
    },
    sort: { unsortableProperties: ['line', 'author', 'likes', 'createdAt'] },
  });
  let size = 0;
  return {
    async build(file) {
      let batch: Stored[] = [];
      const insert = async (): Promise<void> => {
        await insertMultiple(database, batch, batchSize);
        size += batch.length;
        batch = [];
      };
      for await (const { text, ...tweet } of plainTweets(file)) {
        batch.push({ ...tweet, line: tokenLine(text) });
        if (batch.length === batchSize) await insert();
      }
      await insert();
    },

    async search(query, page) {
      const { groups, without, author, since, until, minLikes, phrase } = query;
      const where = {
        and: [
          ...groups.map((group) => ({ line: group })),
          ...without.map((word) => ({ not: { line: [word] } })),
          ...(author === undefined ? [] : [{ author: { eq: author } }]),
          ...(since === undefined ? [] : [{ createdAt: { between: [since, (until ?? since) - 1] } }]),
          ...(minLikes === undefined ? [] : [{ likes: { gte: minLikes } }]),
        ],
      };
      const { limit, offset } = phrase === undefined ? page : { limit: size, offset: 0 };
      const { hits } = await search(database, { where, limit, offset, sortBy: { property: 'n', order: 'DESC' } });
      const found = hits.map(({ document }) => document);
      if (phrase === undefined) return found.map(({ n }) => n);
      return pageOf(
        found.filter((tweet) => accepts(query, tweet)).map(({ n }) => n),
        page,
      );
    },
  };
}
