/** Questions about real tweets, by id. What is expected comes from the records, so no case has a text of them. */
import type { JudgedCase } from '../rubric.ts';
import { about, type Row } from './make.ts';

/** Questions that any tweet permits. */
const basics: readonly Row[] = [
  [null, '$author'],
  ['Who posted this?', '$author'],
  ['What year is this from?', '$date'],
  ['How many likes did it get?', '$likes'],
  ['Is this true?', 'cannot judge'],
];
const of = (set: string, tweets: readonly string[], rows: readonly Row[]): JudgedCase[] =>
  tweets.flatMap((tweet) => about(set, tweet, rows));

export const real: readonly JudgedCase[] = [
  ...of('01-v1.1', ['674285923211849728', '735061012215259136', '690989665701208064'], basics),
  ...of(
    '01-v1.1',
    ['505874920140591104', '505874873248268288'],
    [
      ['What is this replying to?', 'archive does not have'],
      ['Does it have replies?', 'no replies to it, and the source gave no count', { never: ['no replies when'] }],
    ],
  ),
  ...of(
    '01-v1.1',
    ['693472756780945409', '735059783779123200'],
    [
      ['What does it quote?', 'archive does not have'],
      [null, '$author', { has: ['quotes a post'], never: ['It links to'] }],
      ['How many views?', 'no count of: views'],
    ],
  ),
  ...of(
    '01-v1.1',
    ['735061012215259136'],
    [
      ['What do people answer?', 'wording|@', { has: ['$reply'] }],
      ['what tasks are listed?', 'Task|Work|nothing about'],
    ],
  ),
  ...of(
    '02-v2',
    ['1574180218616651776', '1574174417520820224'],
    [
      ...basics,
      ['What do the replies say?', 'wording|@', { has: ['$replier'] }],
      ['Summarise in one sentence', '$author', { max: 450 }],
      ['¿Quién lo escribió?', '$author'],
    ],
  ),
  ...of(
    '02-v2',
    ['1773587587237830738', '1774040375650353559'],
    [
      ['Give me the short version', '$author'],
      ['How many likes?', 'no count of: likes|no counts'],
      ['Who replied to it?', 'wording|@', { has: ['$replier'] }],
    ],
  ),
  ...of(
    '03-archive',
    ['1140962708487135232', '1486721823299407877', '1588091220244369409'],
    [
      [null, '$author', { max: 1800 }],
      ['Wer hat das geschrieben?', '$author'],
      ['When was this?', '$date'],
      ['How often was it liked?', '$likes'],
      ['Explain it briefly', '$author'],
    ],
  ),
  ...of(
    '03-archive',
    ['1587920147083591680', '1389258779611607042'],
    [
      ['Who is this a reply to?', 'archive does not have'],
      ['What is the author usually posting about?', 'author is|no other post'],
      ['Translate it', 'cannot translate'],
    ],
  ),
];
