/** MiniSearch with the tokenizer of this service: query trees for AND, OR and negation, its `filter` for the other conditions. */
import { tokensOf } from '../../../server/search/language/tokenizer.ts';
import type { Query } from '../queries.ts';
import { accepts, tokenLine, pageOf, importPeer, plainTweets, type Engine } from './engine.ts';

interface Result {
  readonly id: number;
  readonly author: string;
  readonly createdAt: number;
  readonly likes: number;
  readonly line: string;
}
type Tree = string | { combineWith: 'AND' | 'OR' | 'AND_NOT'; fields?: string[]; queries: readonly Tree[] };
interface MiniSearch {
  add(document: object): void;
  search(query: Tree, options: object): Result[];
}

function treeOf({ groups, without, author }: Query): Tree {
  const wanted: Tree[] = groups.map((group) => ({ combineWith: 'OR', fields: ['text'], queries: group }));
  if (author !== undefined) wanted.push({ combineWith: 'AND', fields: ['author'], queries: [author] });
  const tree: Tree = { combineWith: 'AND', queries: wanted };
  return without.length === 0
    ? tree
    : {
        combineWith: 'AND_NOT',
        queries: [tree, ...without.map((word): Tree => ({ combineWith: 'AND', fields: ['text'], queries: [word] }))],
      };
}

export async function createEngine(): Promise<Engine> {
  const { default: Index } = await importPeer<{ default: new (options: object) => MiniSearch }>('minisearch');
  const index = new Index({
    fields: ['text', 'author'],
    storeFields: ['author', 'createdAt', 'likes', 'line'],
    tokenize: tokensOf,
    processTerm: (term: string) => term,
  });
  return {
    async build(file) {
      for await (const { n, ...tweet } of plainTweets(file))
        index.add({ id: n, ...tweet, line: tokenLine(tweet.text) });
    },

    search(query, page) {
      const filtered = query.phrase !== undefined || query.minLikes !== undefined || query.since !== undefined;
      const results = index.search(
        treeOf(query),
        filtered ? { filter: (result: Result) => accepts(query, result) } : {},
      );
      return pageOf(
        results.map(({ id }) => id),
        page,
      );
    },
  };
}
