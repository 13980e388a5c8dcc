/** Orama, with the words of this service: its own filters, order and paging where they say it all; else all that it finds is filtered here. */
import { tokensOf } from '../../../server/search/tokens.ts';
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
    components: { tokenizer: { language: 'english', normalizationCache: new Map(), tokenize: (text: string) => [...new Set(tokensOf(text))] } },
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
      const { groups, author, since, until, leastLikes, phrase, without } = asked;
      const where = {
        ...(author === undefined ? {} : { author: { eq: author } }),
        ...(since === undefined ? {} : { createdAt: { between: [since, until! - 1] } }),
        ...(leastLikes === undefined ? {} : { likes: { gte: leastLikes } }),
      };
      const find = async (words: readonly string[], threshold: 0 | 1, { limit, offset }: { limit: number; offset: number }): Promise<Stored[]> => {
        const found = await search(database, { term: words.join(' '), properties: ['line'], exact: true, threshold, where, limit, offset, sortBy: { property: 'n', order: 'DESC' } });
        return found.hits.map(({ document }) => document);
      };
      const everything = { limit: size, offset: 0 };
      const isOneSearch = groups.every((group) => group.length === 1);
      if (isOneSearch && phrase === undefined && without.length === 0) return (await find(groups.flat(), 0, page)).map(({ n }) => n);
      const found: Stored[][] = [];
      if (isOneSearch) found.push(await find(groups.flat(), 0, everything));
      else for (const group of groups) found.push(await find(group, 1, everything));
      const all = found.map((tweets) => new Set(tweets)).reduce((a, b) => a.intersection(b));
      return pageOf([...all].filter((tweet) => accepts(asked, tweet)).map(({ n }) => n), page);
    },
  };
}
