/** A linear scan with the evaluator of this service, newest first until the page is full. Its pages are the expected ones. */
import type { ArchivedUser } from '../../../server/domain/records.ts';
import { documentOf } from '../../../server/search/document.ts';
import type { TweetDocument } from '../../../server/domain/tweet-document.ts';
import { engagementOf } from '../../../server/search/engagement.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { compileQuery } from '../../../server/search/language/compile.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { recordsOf, type Engine } from './engine.ts';

export function createEngine(): Engine {
  const documents: TweetDocument[] = [];
  return {
    async build(file) {
      const users = new Map<string, ArchivedUser>();
      const context = { user: (id: string) => users.get(id), authorOf: () => undefined };
      for await (const record of recordsOf(file)) {
        if (record.kind === 'user') users.set(record.user.id, record.user);
        if (record.kind === 'tweet') documents.push(documentOf(record.tweet, context));
      }
    },

    search({ text }, { offset, limit }) {
      const condition = compileQuery(parse(text));
      const now = Date.now();
      const found: number[] = [];
      for (let n = documents.length - 1; n >= 0 && found.length < offset + limit; n--) {
        const document = documents[n];
        if (document !== undefined && matches(condition, document, now)) found.push(n);
      }
      return found.slice(offset);
    },

    top({ text }, limit) {
      const condition = compileQuery(parse(text));
      const now = Date.now();
      const found = documents.flatMap((document, n) =>
        matches(condition, document, now) ? { n, score: engagementOf((name) => document.counts[name]) } : [],
      );
      return found
        .toSorted((a, b) => b.score - a.score || b.n - a.n)
        .slice(0, limit)
        .map(({ n }) => n);
    },
  };
}
