/** Looks up users, places and lists in the tables. */
import { sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import { latitudesOf, type Area } from '../../domain/geo.ts';
import { fromDatabaseId } from '../content/database-id.ts';
import { nameKey, storedText } from '../content/stored-text.ts';
import { placeBox, type PlaceBox, type SearchContext } from './resolved-condition.ts';

/** `usersNamed`: finds users by the words of their names, which each engine has in another form. */
export class SqlLookups implements SearchContext {
  readonly usersNamed: SearchContext['usersNamed'];
  readonly #run: RunSql;

  constructor(run: RunSql, usersNamed: SearchContext['usersNamed']) {
    this.#run = run;
    this.usersNamed = usersNamed;
  }

  async usersWithUsername(username: string): Promise<readonly string[]> {
    return this.#ids(sql`SELECT p.id FROM social_data.person p WHERE p.username = ${nameKey(username)}`);
  }

  async listMembers(term: string): Promise<readonly string[]> {
    const [owner = '', slug] = term.slice('list:'.length).split('/');
    if (slug === undefined)
      return this.#ids(sql`SELECT m.user_id AS id FROM social_data.list_member m WHERE m.list_id = ${owner}`);
    return this.#ids(
      sql`SELECT DISTINCT m.user_id AS id FROM social_data.person p
        JOIN social_data.list l ON l.owner_id = p.id JOIN social_data.list_member m ON m.list_id = l.id
        WHERE p.username = ${nameKey(owner)} AND l.slug = ${storedText(slug)}`,
    );
  }

  async placesWithTerm(term: string): Promise<readonly PlaceBox[]> {
    return this.#places(
      sql`p.id IN (SELECT t.place_id FROM social_data.place_term t WHERE t.term = ${storedText(term)})`,
    );
  }

  async placesNear(area: Area): Promise<readonly PlaceBox[]> {
    const [south, north] = latitudesOf(area);
    return this.#places(sql`p.south >= ${{ real: south }} AND p.north <= ${{ real: north }}`);
  }

  async #ids(statement: Fragment): Promise<readonly string[]> {
    return (await this.#run<{ id: Integer }>(statement)).map(({ id }) => fromDatabaseId(id));
  }

  async #places(condition: Fragment): Promise<readonly PlaceBox[]> {
    const rows = await this.#run<{ id: string } & Readonly<Record<'west' | 'south' | 'east' | 'north', number | null>>>(
      sql`SELECT p.id, p.west, p.south, p.east, p.north FROM social_data.place p WHERE ${condition}`,
    );
    return rows.map(({ id, west, south, east, north }) => ({ id, box: placeBox([west, south, east, north]) }));
  }
}
