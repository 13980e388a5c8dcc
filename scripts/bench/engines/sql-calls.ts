/** The calls of an engine that this service makes in a database. */
import type { Page, PageRequest as Request } from '../../../server/contract/page.ts';
import { parse } from '../../../server/search/language/parse.ts';
import type { Query as Parsed } from '../../../server/domain/query.ts';
import { firstMoment, idOf, numberOf } from '../tweets.ts';
import type { Engine } from './engine.ts';

interface Search {
  latest(query: Parsed, page: Request, now: number): Promise<Page<string>>;
  top(query: Parsed, page: Request, now: number): Promise<Page<string>>;
}

/** `search` returns the present search: a build can open another connection. */
export const searchCalls = (search: () => Search): Pick<Engine, 'search'> & Required<Pick<Engine, 'top'>> => ({
  async search({ text }, { limit, after }) {
    const position = after === undefined ? undefined : [firstMoment + after * 1000, idOf(after)];
    const { items } = await search().latest(parse(text), { after: position, limit }, Date.now());
    return items.map(numberOf);
  },

  async top({ text }, limit) {
    const { items } = await search().top(parse(text), { after: undefined, limit }, Date.now());
    return items.map(numberOf);
  },
});
