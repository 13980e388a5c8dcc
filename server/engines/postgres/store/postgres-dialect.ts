/** Statements for PostgreSQL. */
import { Fragment, type Dialect, type Insertion, type List } from '../../../archive/sql.ts';
import type { Parameter, Statement } from './statement.ts';
import { insertionOf } from './insertion.ts';

const typeOf = (list: List): string => ('ids' in list ? 'bigint' : 'text');
const valuesOf = (list: List): readonly string[] => ('ids' in list ? list.ids : list.texts);

const dialect: Dialect<Parameter> = {
  value(value, params) {
    if (typeof value === 'object' && value !== null)
      return 'id' in value ? `$${params.push(value.id)}::bigint` : `$${params.push(value.real)}::float8`;
    return typeof value === 'number' ? `$${params.push(value)}::bigint` : `$${params.push(value)}`;
  },
  among: (column, list, params) => `${column} = ANY ($${params.push(valuesOf(list))}::${typeOf(list)}[])`,
  given(columns, params) {
    const arrays = Object.values(columns).map((list) => `$${params.push(valuesOf(list))}::${typeOf(list)}[]`);
    return `unnest(${arrays.join(', ')}) AS given (${Object.keys(columns).join(', ')})`;
  },
  idText: (column) => `(${column}::numeric + 9223372036854775808)::text`,
  sameTweet: (counts, tweet) => `${counts}.id = ${tweet}.id`,
};

/** The statement of PostgreSQL for one of either engine. */
export function statementOf(given: Statement | Fragment | Insertion): Statement {
  if (given instanceof Fragment) {
    const params: Parameter[] = [];
    return {
      text: given.render(dialect, params),
      params,
      isShort: given.cost === 'short',
      isLong: given.cost === 'long',
    };
  }
  return 'table' in given ? insertionOf(given) : given;
}
