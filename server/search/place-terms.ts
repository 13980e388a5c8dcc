/** The search terms of a place. */
import type { ArchivedPlace } from '../domain/records.ts';
import { tokensOf } from './language/tokenizer.ts';

/** The maximum number of indexed words of a place name. No real name has more. */
const maxPlaceWords = 12;

/** A term for each run of words of a place name: `Cape Town, South Africa` has `town` and `cape town`. */
export function* nearTerms(name: string): Generator<string, void> {
  const words = tokensOf(name).slice(0, maxPlaceWords);
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= words.length; to++) yield `near:${words.slice(from, to).join(' ')}`;
  }
}

/** The terms of a place: the names for `near:`, and its country. A term can occur more than once. */
export function* placeTerms({ name, full_name, country_code }: ArchivedPlace): Generator<string, void> {
  if (name !== undefined) yield* nearTerms(name);
  if (full_name !== undefined) yield* nearTerms(full_name);
  if (country_code !== undefined) yield `place_country:${country_code.toLowerCase()}`;
}
