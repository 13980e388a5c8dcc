/**
 * Entity extraction against the platform's own conformance suite, section by section; each section's name tells how many of its cases
 * hold. Positions are not kept by the archive, so values alone are compared.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { entitiesOf } from '../../server/formats/text.ts';

type Entity =
  | string
  | { url: string }
  | { hashtag: string }
  | { cashtag: string }
  | { screen_name: string; list_slug?: string };
interface Case {
  readonly description: string;
  readonly text: string;
  readonly expected: readonly Entity[];
}

const file = new URL('../../../shared/data/twitter-text/conformance/extract.yml', import.meta.url).pathname;
const sections = existsSync(file) ? (parse(readFileSync(file, 'utf8')) as { tests: Record<string, Case[]> }).tests : {};

/** What is compared with a section; undefined where nothing of ours answers it. */
function extractorOf(section: string): ((text: string) => string[]) | undefined {
  if (section.startsWith('mentions')) return (text) => entitiesOf(text).mentions.map(({ username }) => username);
  if (section.startsWith('hashtags')) return (text) => entitiesOf(text).hashtags;
  if (section.startsWith('cashtags')) return (text) => entitiesOf(text).cashtags;
  if (section.includes('url')) return (text) => entitiesOf(text).urls.map(({ url }) => url);
  return undefined;
}

/** The entity as it stands in an answer; none for a list, which no tweet of the contract has. */
function valueOf(entity: Entity): string[] {
  if (typeof entity === 'string') return [entity];
  if ('screen_name' in entity && entity.list_slug) return [];
  return [Object.values(entity)[0] as string];
}

(existsSync(file) ? describe : describe.skip)('the conformance suite of the platform', () => {
  for (const [section, cases] of Object.entries(sections)) {
    const extract = extractorOf(section);
    // Whether a tweet is a reply is delivered by its record, never by its text.
    if (section === 'replies') continue;
    const broken = cases.filter(
      ({ text, expected }) => JSON.stringify(extract!(text)) !== JSON.stringify(expected.flatMap(valueOf)),
    );
    test(`${section}: ${cases.length - broken.length} of ${cases.length}`, () => {
      expect(broken.map(({ description }) => description)).toEqual([]);
    });
  }

  test('has the expected sections', () => {
    expect(Object.keys(sections).filter((section) => extractorOf(section) === undefined)).toEqual(['replies']);
    expect(Object.values(sections).flat().length).toBeGreaterThan(200);
  });
});
