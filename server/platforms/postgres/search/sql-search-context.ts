/** Looks up users, places and lists in PostgreSQL. */
import { adjacentIn } from '../../../search/language/evaluate.ts';
import { latitudesOf, type Area } from '../../../search/geo.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import { fromDatabaseId } from '../rows/database-id.ts';
import { lexemeOf, longLexeme, phraseQuery, quoteLexeme } from '../rows/lexemes.ts';
import { nameKey } from '../rows/search-rows.ts';
import { placeBox, type PlaceBox, type SearchContext } from '../../../archive/search/resolved-condition.ts';

export class SqlSearchContext implements SearchContext {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  async usersNamed(tokens: readonly string[]): Promise<readonly string[]> {
    const words = tokens.filter((token) => token !== '*').map((token) => quoteLexeme(lexemeOf(token)));
    const query = `${phraseQuery(tokens, lexemeOf)} | (${[quoteLexeme(longLexeme), ...words].join(' & ')})`;
    const rows = await this.#run<{ id: string; name: string }>({
      text: 'SELECT p.id, p.name FROM social_data.person p WHERE p.name_words @@ $1::tsquery',
      params: [query],
    });
    const lexemes = tokens.map((token) => (token === '*' ? token : lexemeOf(token)));
    return rows
      .filter(({ name }) => name === '' || name.split('\n').some((line) => adjacentIn(line.trim().split(' '), lexemes)))
      .map(({ id }) => fromDatabaseId(id));
  }

  async usersWithUsername(username: string): Promise<readonly string[]> {
    return this.#ids('SELECT p.id FROM social_data.person p WHERE p.username = $1', nameKey(username));
  }

  async listMembers(term: string): Promise<readonly string[]> {
    const [owner = '', slug] = term.slice('list:'.length).split('/');
    if (slug === undefined)
      return this.#ids('SELECT m.user_id AS id FROM social_data.list_member m WHERE m.list_id = $1', owner);
    return this.#ids(
      `SELECT DISTINCT m.user_id AS id FROM social_data.person p
       JOIN social_data.list l ON l.owner_id = p.id JOIN social_data.list_member m ON m.list_id = l.id
       WHERE p.username = $1 AND l.slug = $2`,
      nameKey(owner),
      lexemeOf(slug),
    );
  }

  async placesWithTerm(term: string): Promise<readonly PlaceBox[]> {
    return this.#places('p.terms @> ARRAY[$1]', lexemeOf(term));
  }

  async placesNear(area: Area): Promise<readonly PlaceBox[]> {
    const [south, north] = latitudesOf(area);
    return this.#places('p.south >= $1::float8 AND p.north <= $2::float8', south, north);
  }

  async #ids(text: string, ...params: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#run<{ id: string }>({ text, params });
    return rows.map(({ id }) => fromDatabaseId(id));
  }

  async #places(where: string, ...params: readonly (string | number)[]): Promise<readonly PlaceBox[]> {
    const rows = await this.#run<{ id: string; box: (number | null)[] }>({
      text: `SELECT p.id, ARRAY[p.west, p.south, p.east, p.north] AS box FROM social_data.place p WHERE ${where}`,
      params,
    });
    return rows.map(({ id, box }) => ({ id, box: placeBox(box) }));
  }
}
