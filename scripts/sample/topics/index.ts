/** The topics by name. */
import { birds } from './birds.ts';
import { books } from './books.ts';
import { chess } from './chess.ts';
import { code } from './code.ts';
import { coffee } from './coffee.ts';
import { cooking } from './cooking.ts';
import { crypto } from './crypto.ts';
import { cycling } from './cycling.ts';
import { football } from './football.ts';
import { garden } from './garden.ts';
import * as languages from './languages.ts';
import { making } from './making.ts';
import { markets } from './markets.ts';
import { music } from './music.ts';
import { running } from './running.ts';
import { sailing } from './sailing.ts';
import { stars } from './stars.ts';
import type { Topic } from './topic.ts';

export const topics = {
  birds,
  books,
  chess,
  code,
  coffee,
  cooking,
  crypto,
  cycling,
  football,
  garden,
  making,
  markets,
  music,
  running,
  sailing,
  stars,
  ...languages,
} satisfies Record<string, Topic>;

export type TopicName = keyof typeof topics;
