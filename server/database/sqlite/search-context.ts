/** Looks up users, places and lists in SQLite. */
import type { PlaceBox, SearchContext } from '../../archive/search/resolved-condition.ts';
import { placeBox } from '../../archive/search/resolved-condition.ts';
import type { ArchivedUser } from '../../domain/records.ts';
import { nameTexts } from '../../search/document.ts';
import { latitudesOf, type Area } from '../../search/geo.ts';
import { adjacentIn } from '../../search/language/evaluate.ts';
import { runsOf } from './search-plan.ts';
import type { SqliteDatabase, Value } from './sqlite-database.ts';
import { phraseOf, tokenOf } from './words.ts';

export class SqliteSearchContext implements SearchContext {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async usersNamed(tokens: readonly string[]): Promise<readonly string[]> {
    const rows = this.#database.all<{ id: string; document: string }>(
      'SELECT p.id, p.document FROM name_word CROSS JOIN person p ON p.number = name_word.rowid WHERE name_word MATCH ?',
      runsOf(tokens).map(phraseOf).join(' AND '),
    );
    const isNamed = ({ document }: { document: string }): boolean =>
      nameTexts(JSON.parse(document) as ArchivedUser).some((name) => adjacentIn(name, tokens));
    return (tokens.includes('*') ? rows.filter(isNamed) : rows).map(({ id }) => id);
  }

  async usersWithUsername(username: string): Promise<readonly string[]> {
    return this.#ids('SELECT id FROM person WHERE username = ?', tokenOf(username));
  }

  async listMembers(term: string): Promise<readonly string[]> {
    const [owner = '', slug] = term.slice('list:'.length).split('/');
    if (slug === undefined) return this.#ids('SELECT user_id AS id FROM list_member WHERE list_id = ?', owner);
    return this.#ids(
      `SELECT DISTINCT m.user_id AS id FROM person p JOIN list l ON l.owner_id = p.id JOIN list_member m ON m.list_id = l.id
       WHERE p.username = ? AND l.slug = ?`,
      tokenOf(owner),
      tokenOf(slug),
    );
  }

  async placesWithTerm(term: string): Promise<readonly PlaceBox[]> {
    return this.#places('p.id IN (SELECT place_id FROM place_term WHERE term = ?)', tokenOf(term));
  }

  async placesNear(area: Area): Promise<readonly PlaceBox[]> {
    return this.#places('p.south >= ? AND p.north <= ?', ...latitudesOf(area));
  }

  #ids(text: string, ...params: readonly string[]): readonly string[] {
    return this.#database.all<{ id: string }>(text, ...params).map(({ id }) => id);
  }

  #places(where: string, ...params: readonly Value[]): readonly PlaceBox[] {
    type PlaceRow = Readonly<Record<'west' | 'south' | 'east' | 'north', number | null>> & { readonly id: string };
    return this.#database
      .all<PlaceRow>(`SELECT p.id, p.west, p.south, p.east, p.north FROM place p WHERE ${where}`, ...params)
      .map(({ id, west, south, east, north }) => ({ id, box: placeBox([west, south, east, north]) }));
  }
}
