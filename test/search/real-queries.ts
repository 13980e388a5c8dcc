/** The real data sets, the collected queries, and queries made of what the sets hold. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { Archive } from '../../server/platforms/archive/archive.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import fc from '../support/property.ts';
import { rounds, sampled } from '../support/rounds.ts';
import { readable } from './arbitrary.ts';

const shared = new URL('../../../shared/', import.meta.url).pathname;
/** Whether the sets are there. */
export const hasSets = existsSync(shared);

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && /\.(json|jsonl|js)$/.test(path));

/** The collected queries that an archive answers. Those that it refuses are tested elsewhere. */
export function collected(): string[] {
  const lines = readFileSync(join(shared, 'search/cases.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { query: string }).query).filter(readable);
}

/** Queries made of what a tweet holds, so that each finds something; always the same ones. */
export function madeOf(archive: Archive): string[] {
  const part = fc.tuple(fc.nat(archive.size - 1), fc.nat(9), fc.nat(99)).map(([ordinal, kind, place]) => {
    const tweet = archive.tweet(ordinal);
    const words = tweet.text.split(/[\s"():@#$*\-/\\]+/).filter((word) => word !== '' && word !== 'OR');
    const at = place % Math.max(1, words.length);
    const word = words[at] ?? 'x';
    switch (kind) {
      case 0:
        return `from:${tweet.author_id}`;
      case 1:
        return `"${words.slice(at, at + 3).join(' ')}"`;
      case 2:
        return `"${word} * ${words[at + 2] ?? 'x'}"`;
      case 3:
        return `since:${tweet.created_at.slice(0, 10)}`;
      case 4:
        return tweet.entities?.cashtags[0] === undefined ? word : `$${tweet.entities.cashtags[0]}`;
      case 5:
        return tweet.entities?.mentions[0] === undefined ? word : `@${tweet.entities.mentions[0].username}`;
      case 6:
        return `min_faves:${place}`;
      case 7:
        return `-${word}`;
      default:
        return word;
    }
  });
  /** Queries about where the tweets of the archive that say it were posted, and their polls. */
  const located = Array.from({ length: archive.size }, (_, ordinal) => archive.tweet(ordinal)).flatMap(
    ({ coordinates, place, place_id, poll }, ordinal) => {
      if (coordinates !== undefined && ordinal % 3 === 0)
        return [`geocode:${coordinates.latitude},${coordinates.longitude},${1 + (ordinal % 400)}km`];
      if (place !== undefined && ordinal % 23 === 0)
        return [`near:"${place.replaceAll('"', '')}" within:${ordinal % 90}mi`, `place:${place_id}`];
      return poll === undefined ? [] : [`card_name:poll${poll.options?.length ?? 2}choice_text_only`, 'card_name:poll'];
    },
  );
  const areas = [
    'bounding_box:[-125 24 -66 50]',
    'bounding_box:[170 -50 -100 70]',
    'point_radius:[-0.1 51.5 300mi]',
    'place_country:us -place_country:gb',
    'place_country:GB OR place_country:CA',
    'has:geo -geocode:40,-100,3000km',
    'near:london within:40km',
  ];
  const group = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' OR '));
  const texts = fc
    .sample(fc.array(group, { minLength: 1, maxLength: 3 }), { numRuns: rounds(120), seed: 20_261_121 })
    .map((groups) => groups.join(' '));
  return [...texts, ...located, ...areas];
}

/** Imports the sets into a sink. `hasLarge`: a sample of the largest too. */
export async function importSets(sink: Pick<ImportSink, 'resume' | 'apply'>, hasLarge = true): Promise<void> {
  const sets = ['01-v1.1', '02-v2', '03-archive'].flatMap((set) => filesOf(join(shared, 'data', set)));
  // The smallest files first: a sample takes them.
  const large = sampled(
    filesOf(join(shared, 'data/04-large/stocknet')).toSorted((a, b) => statSync(a).size - statSync(b).size),
  );
  for (const path of [...sets, ...(hasLarge ? large : [])]) {
    for (const input of (await openInputs(path)).slice(0, 1)) await importInput(input, sink);
  }
}

/** A sink of an archive in memory. */
export const sinkOf = (archive: Archive): Pick<ImportSink, 'resume' | 'apply'> => ({
  resume: async () => undefined,
  apply: async (_fingerprint, _progress, records) => records.map((record) => archive.apply(record).outcome),
});
