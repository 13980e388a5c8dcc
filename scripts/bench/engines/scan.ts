/** A linear scan by the evaluator of this service, newest first until the page is full: what is true, and what it costs without an index. */
import type { ArchivedUser } from '../../../server/domain/records.ts';
import { documentOf, type TweetDocument } from '../../../server/search/document.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { compileQuery } from '../../../server/search/language/compile.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { recordsOf, type Engine } from './engine.ts';

export function createEngine(): Engine {
  const documents: TweetDocument[] = [];
  return {
    async build(file) {
      const users = new Map<string, ArchivedUser>();
      const around = { user: (id: string) => users.get(id), authorOf: () => undefined };
      for await (const record of recordsOf(file)) {
        if (record.kind === 'user') users.set(record.user.id, record.user);
        if (record.kind === 'tweet') documents.push(documentOf(record.tweet, around));
      }
    },

    search({ text }, { offset, limit }) {
      const condition = compileQuery(parse(text));
      const now = Date.now();
      const found: number[] = [];
      for (let n = documents.length - 1; n >= 0 && found.length < offset + limit; n--) {
        if (matches(condition, documents[n]!, now)) found.push(n);
      }
      return found.slice(offset);
    },
  };
}
