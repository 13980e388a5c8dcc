/** The texts about one topic in one language. Texts are patterns (see ../pattern.ts). */
import type { Words } from '../pattern.ts';

/** A page that posts link to, shown as a card. */
export interface Link {
  url: string;
  title: string;
  description: string;
}

export interface Topic {
  lang: string;
  /** Without `#`. `{tag}` in a text is one of them. */
  tags: readonly string[];
  words?: Words;
  /** `{who}` is a mention, `{link}` one of `links`, with its card. */
  posts: readonly string[];
  replies: readonly string[];
  /** Threads: each post replies to the one before. */
  threads?: readonly (readonly string[])[];
  links?: readonly Link[];
  /** The share of posts with media, from 0 to 1. */
  visual: number;
}
