// Not in `npm run test:fast`: it reads large data sets.
/**
 * On real tweets too, the index and the standing queries find what looking at each tweet alone finds: the collected queries, and queries
 * made of what the tweets themselves hold.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { Condition } from '../../server/search/language/condition.ts';
import { documentOf, contextFrom, type TweetDocument } from '../../server/search/document.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import { rounds, sampled } from '../support/rounds.ts';

const shared = new URL('../../../shared/', import.meta.url).pathname;
const now = Date.now();

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && /\.(json|jsonl|js)$/.test(path));

/** The collected queries that an archive answers. */
function collected(): Map<string, Condition> {
  const lines = readFileSync(join(shared, 'search/cases.jsonl'), 'utf8').trim().split('\n');
  const read = new Map<string, Condition>();
  for (const { query } of lines.map((line) => JSON.parse(line) as { query: string })) {
    try {
      read.set(query, compileQuery(parse(query)));
    } catch {
      // Refused: tested with the collected queries.
    }
  }
  return read;
}

/** Queries made of what a tweet holds, so that each finds something; always the same ones. */
function madeOf(archive: Archive): Map<string, Condition> {
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
  return new Map([...texts, ...located, ...areas].map((text) => [text, compileQuery(parse(text))]));
}

(existsSync(shared) ? describe : describe.skip)('the real data sets', () => {
  const archive = new Archive();
  const documents: TweetDocument[] = [];
  let queries: Map<string, Condition>;

  beforeAll(
    async () => {
      const sink = {
        resume: async () => undefined,
        apply: async (_fingerprint: string, _reached: unknown, records: Parameters<Archive['apply']>[0][]) =>
          records.map((record) => archive.apply(record).outcome),
      };
      const sets = ['01-v1.1', '02-v2', '03-archive'].flatMap((set) => filesOf(join(shared, 'data', set)));
      // The smallest files first: a sample takes them.
      const large = sampled(
        filesOf(join(shared, 'data/04-large/stocknet')).toSorted((a, b) => statSync(a).size - statSync(b).size),
      );
      for (const path of [...sets, ...large]) await importInput((await openInputs(path))[0]!, sink);
      const around = contextFrom(archive);
      for (let ordinal = 0; ordinal < archive.size; ordinal++)
        documents.push(documentOf(archive.tweet(ordinal), around));
      queries = new Map([...collected(), ...madeOf(archive)]);
    },
    600_000 + rounds(60_000),
  );

  // The module stays in memory as long as the worker.
  afterAll(() => {
    documents.length = 0;
    queries?.clear();
  });

  test(
    'give the same results with the index and with a scan',
    () => {
      let found = 0;
      for (const [text, condition] of queries) {
        const looked = documents.flatMap((document, ordinal) => (matches(condition, document, now) ? [ordinal] : []));
        const { items } = archive.index.search(parse(text), 'Latest', { after: undefined, limit: archive.size });
        expect([text, items]).toEqual([text, looked.toSorted((a, b) => archive.order(b, a))]);
        found += looked.length > 0 ? 1 : 0;
      }
      expect(documents.length).toBeGreaterThan(4_000);
      expect(found).toBeGreaterThan(rounds(100));
    },
    600_000 + rounds(60_000),
  );

  test(
    'match the registered queries',
    () => {
      const standing = new Percolator<string>();
      for (const [text, condition] of queries) standing.set(text, condition);
      for (let ordinal = 0; ordinal < documents.length; ordinal += 7) {
        const document = documents[ordinal]!;
        const expected = [...queries]
          .filter(([, condition]) => matches(condition, document, now))
          .map(([text]) => text);
        expect([ordinal, standing.match(document, now).toSorted()]).toEqual([ordinal, expected.toSorted()]);
      }
    },
    600_000 + rounds(60_000),
  );
});
