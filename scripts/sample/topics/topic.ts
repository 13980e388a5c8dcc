/** What people write about one interest in one language. Texts are patterns (see ../pattern.ts). */
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
  /** `{who}` is a mention of somebody, `{link}` one of `links`, with its card. */
  posts: readonly string[];
  replies: readonly string[];
  /** Posts that their author answers with the next one. */
  threads?: readonly (readonly string[])[];
  links?: readonly Link[];
  /** How many of the posts carry a picture or a film: 0 to 1. */
  visual: number;
}
