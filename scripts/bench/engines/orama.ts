/** Orama, with the words of this service: its own filters, order and paging; where a phrase is asked, all that it finds is filtered here. */
import { tokensOf } from '../../../server/search/language/tokenizer.ts';
import { accepts, lineOf, pageOf, peer, plainTweets, type Engine, type PlainTweet } from './engine.ts';

type Stored = Omit<PlainTweet, 'text'> & { readonly line: string };
interface Orama {
  create(options: object): unknown;
  insertMultiple(database: unknown, documents: object[], batchSize: number): Promise<unknown>;
  search(database: unknown, query: object): Promise<{ hits: { document: Stored }[] }>;
}

const batchSize = 1000;

export async function createEngine(): Promise<Engine> {
  const { create, insertMultiple, search } = await peer<Orama>('@orama/orama');
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
        batch.push({ ...tweet, line: lineOf(text) });
        if (batch.length === batchSize) await insert();
      }
      await insert();
    },

    async search(asked, page) {
      const { groups, without, author, since, until, leastLikes, phrase } = asked;
      const where = {
        and: [
          ...groups.map((group) => ({ line: group })),
          ...without.map((word) => ({ not: { line: [word] } })),
          ...(author === undefined ? [] : [{ author: { eq: author } }]),
          ...(since === undefined ? [] : [{ createdAt: { between: [since, until! - 1] } }]),
          ...(leastLikes === undefined ? [] : [{ likes: { gte: leastLikes } }]),
        ],
      };
      const { limit, offset } = phrase === undefined ? page : { limit: size, offset: 0 };
      const { hits } = await search(database, { where, limit, offset, sortBy: { property: 'n', order: 'DESC' } });
      const found = hits.map(({ document }) => document);
      if (phrase === undefined) return found.map(({ n }) => n);
      return pageOf(
        found.filter((tweet) => accepts(asked, tweet)).map(({ n }) => n),
        page,
      );
    },
  };
}
