/** The indexed properties of authors. */
import { LargeMap } from '../../collections/large-map.ts';
import type { AuthorMemo } from '../../domain/author-memo.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';

export interface Author {
  /** The display name and the username, each as the numbers of its tokens. */
  names: number[][];
  verified: boolean;
  blueVerified: boolean;
}

export class Authors implements SavedTable {
  readonly #authors: Author[] = [];
  /** The numbers that further authors get. */
  readonly #free: number[] = [];
  readonly #numbers = new LargeMap<string, number>();
  /** Changes whenever an author may have lost its number. */
  #version = 0;
  /** The ids of the authors by username in lower case. */
  readonly #byUsername = new LargeMap<string, Set<string>>();

  /** The number of places; every author number is below it. */
  get size(): number {
    return this.#authors.length;
  }

  /** The number of authors. */
  get count(): number {
    return this.#numbers.size;
  }

  /** The number of an author. Assigns the next number to a new author. */
  number(id: string): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#free.pop() ?? this.#authors.length;
      this.#authors[number] = { names: [], verified: false, blueVerified: false };
      this.#numbers.set(id, number);
    }
    return number;
  }

  /** As `number`, for an author with a memo. */
  numberOf(author: AuthorMemo): number {
    if (author.indexedVersion !== this.#version)
      [author.indexed, author.indexedVersion] = [this.number(author.id), this.#version];
    return author.indexed;
  }

  /** Forgets an author without tweets. Another author gets the number. Returns what was known. */
  forget(id: string): Author | undefined {
    const number = this.#numbers.get(id);
    if (number === undefined) return undefined;
    this.#numbers.delete(id);
    this.#version++;
    this.#free.push(number);
    return this.#authors[number];
  }

  /** The author with this number. */
  at(number: number): Author {
    return this.#authors[number]!;
  }

  /** The ids of the authors with this username, in lower case. */
  withUsername(username: string): Iterable<string> {
    return this.#byUsername.get(username) ?? [];
  }

  /** Replaces the username of an author; both in lower case. An empty username is none. */
  rename(id: string, before: string | undefined, after: string): void {
    const others = before === undefined ? undefined : this.#byUsername.get(before);
    others?.delete(id);
    if (before !== undefined && others?.size === 0) this.#byUsername.delete(before);
    if (after === '') return;
    const namesakes = this.#byUsername.get(after) ?? new Set<string>();
    this.#byUsername.set(after, namesakes.add(id));
  }

  *save(): Sections {
    yield* saveValues(this.#authors);
    yield* saveValues(this.#free);
    yield* saveValues(this.#numbers);
    yield* saveValues(this.#namesakes());
  }

  *#namesakes(): Generator<[username: string, ids: string[]], void> {
    for (const [username, ids] of this.#byUsername) yield [username, [...ids]];
  }

  load(reader: SectionReader): void {
    this.#version++;
    for (const author of readValues<Author>(reader)) this.#authors.push(author);
    for (const number of readValues<number>(reader)) this.#free.push(number);
    for (const [id, number] of readValues<[string, number]>(reader)) this.#numbers.set(id, number);
    for (const [username, ids] of readValues<[string, string[]]>(reader)) this.#byUsername.set(username, new Set(ids));
  }
}
