/** The real data sets, the collected queries, and queries made of what the sets hold. */
import { readFileSync } from 'node:fs';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { ArchivedTweet, ArchiveRecord, ChangeOutcome } from '../../server/domain/records.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import fc from '../support/property.ts';
import { temporaryFolder } from '../support/folder.ts';
import { collectedQueries, filesOf, largeSet, smallSets } from '../support/real-sets.ts';
import { inTurn, rounds } from '../support/rounds.ts';
import { readable } from './arbitrary.ts';

/** The collected queries that an archive answers. Those that it refuses are tested elsewhere. */
export function collected(): string[] {
  const lines = readFileSync(collectedQueries, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { query: string }).query).filter(readable);
}

/** Queries made of what some tweets hold, so that each finds something; always the same ones. */
export function madeOf(tweets: readonly ArchivedTweet[]): string[] {
  const part = fc.tuple(fc.constantFrom(...tweets), fc.nat(9), fc.nat(99)).map(([tweet, kind, place]) => {
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
  const located = tweets.flatMap(({ coordinates, place, place_id, poll }, ordinal) => {
    if (coordinates !== undefined && ordinal % 3 === 0)
      return [`geocode:${coordinates.latitude},${coordinates.longitude},${1 + (ordinal % 400)}km`];
    if (place !== undefined && ordinal % 23 === 0)
      return [`near:"${place.replaceAll('"', '')}" within:${ordinal % 90}mi`, `place:${place_id}`];
    return poll === undefined ? [] : [`card_name:poll${poll.options?.length ?? 2}choice_text_only`, 'card_name:poll'];
  });
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
    .map((groups) => groups.join(' '))
    .filter(readable);
  return [...texts, ...located, ...areas];
}

/** Imports sets into a sink: all of them in a full run, otherwise one, another each day. */
export async function importSets(sink: Pick<ImportSink, 'resume' | 'apply'>): Promise<void> {
  const folder = await temporaryFolder();
  try {
    const all = [...smallSets.map(filesOf), await largeSet(folder.path)];
    for (const path of inTurn(all, 1).flat())
      for (const input of (await openInputs(path)).slice(0, 1)) await importInput(input, sink);
  } finally {
    await folder.dispose();
  }
}

/** A sink of an archive in memory. */
export const sinkOf = (archive: {
  apply(record: ArchiveRecord): { readonly outcome: ChangeOutcome };
}): Pick<ImportSink, 'resume' | 'apply'> => ({
  resume: async () => undefined,
  apply: async (_fingerprint, _progress, records) => records.map((record) => archive.apply(record).outcome),
});
