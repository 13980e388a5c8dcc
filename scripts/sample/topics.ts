/** The topics of the sample, each with its texts in one language. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Words } from './pattern.ts';

/** A page that posts link to, shown as a card. */
export interface Link {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}

/** As topics.yaml describes it. */
export interface Topic {
  readonly lang: string;
  /** Without `#`. */
  readonly tags: readonly string[];
  readonly words?: Words;
  readonly posts: readonly string[];
  readonly replies: readonly string[];
  readonly threads?: readonly (readonly string[])[];
  readonly links?: readonly Link[];
  readonly visual: number;
}

const topics = new Map(
  Object.entries(parse(readFileSync(new URL('topics.yaml', import.meta.url), 'utf8')) as Record<string, Topic>),
);

/** A topic. Throws an Error for an unknown name. */
export function topicNamed(name: string): Topic {
  const topic = topics.get(name);
  if (topic === undefined) throw new Error(`topics.yaml has no topic ${name}`);
  return topic;
}
