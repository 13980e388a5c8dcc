/**
 * The held-out cases: written before the provider answered any question, and not looked at while it was developed. Do not tune for
 * single cases of it: write new ones instead.
 */
import type { EvalCase } from '../rubric.ts';
import { about } from './make.ts';

export const heldOut: readonly EvalCase[] = [
  ...about('sample', '1890000000000000001', [
    [
      'fact',
      'did they copy the fixtures as files?',
      { any: ['2029069102612138447', '2029066082711511314'], has: ['file copy|copied'] },
    ],
    ['fact', 'what about stack traces?', { has: ['real lines'] }],
    ['who', 'whose account is this', { has: ['@mira_codes'] }],
    ['figures', 'number of bookmarks', { has: ['Bookmarks: \\d+'] }],
    ['people', 'best reply?', { has: ['@kerb_appeal|@beanward'] }],
    ['nothing', 'did they use docker?', { nothing: true }],
    ['now', 'did anything happen later?', { has: ['.'] }],
    ['limits', 'should I migrate too?', { has: ['predict'] }],
    ['when', 'what day was that', { has: ['4 March 2026'] }],
    ['number', 'how long does the build take with a warm cache?', { has: ['1:55'] }],
    ['summary', 'the gist in bullet points', { has: ['- '] }],
    ['fact', 'what link is in there?', { has: ['example.org'] }],
  ]),
  ...about('sample', '2079670501670379616', [
    ['fact', 'what was the bug?', { has: ['stale lock file'] }],
    ['people', 'what do people recommend?', { has: ['@'] }],
    ['stance', 'any questions?', { has: ['crumbshot|eight_bit_bea|han_river'] }],
    ['summary', 'short version', { has: ['lock file'], max: 600 }],
  ]),
  ...about('sample', '2080534332395318953', [
    ['fact', 'which coins are named?', { has: ['\\$?BTC'] }],
    ['who', 'who posted it', { has: ['$author'] }],
  ]),
  ...about('town', '510001', [
    ['fact', 'is there a ferry?', { any: ['510011', '510005'] }],
    ['number', 'how often does the ferry run?', { sources: ['510011'], has: ['ten minutes'] }],
    ['fact', 'what does the engineer say?', { any: ['510009'] }],
    ['why', 'why is the footway closed too?', { sources: ['510005'] }],
    ['people', 'who suffers from it?', { any: ['510010', '510017'] }],
    ['now', 'can cars cross today?', { any: ['510022', '510021'] }],
    ['when', 'when was the crack found?', { any: ['510013', '510001'] }],
    ['truth', 'did it collapse?', { sources: ['510016'] }],
    ['answer', 'did they answer any questions?', { any: ['510005', '510007', '510013'] }],
    ['number', 'what part does the county pay?', { sources: ['510015'] }],
    ['mood', 'is the reaction positive or negative?', { has: ['positive'], never: ['mostly'] }],
    ['nothing', 'who is the mayor?', { nothing: true }],
    ['follow-up', ['what do people say?', 'more'], { has: ['@'] }],
  ]),
  ...about('town', '510003', [
    ['explain', null, { sources: ['510003'], has: ['@walter_w'] }],
    ['fact', 'what will happen to the pier?', { sources: ['510003'] }],
    ['who', 'who pays?', { sources: ['510015'] }],
  ]),
  ...about('town', '520001', [
    ['number', 'how many metres are missing?', { sources: ['520004'], has: ['40'] }],
    ['truth', 'is that so?', { any: ['520002', '520009', '520003', '520004'] }],
    ['now', 'how did it end?', { sources: ['520010'] }],
    ['people', 'has anyone been hurt?', { any: ['520009', '520003'] }],
    ['summary', 'sum it up please', { sources: ['520001'] }],
  ]),
  ...about('town', '530001', [
    ['now', 'did they correct it?', { sources: ['530005'] }],
    ['number', 'for how many months does it close?', { sources: ['530005'], has: ['eight'] }],
    ['who', 'who told them?', { sources: ['530003'] }],
  ]),
  ...about('harbour', '620001', [
    ['why', 'Wieso?', { sources: ['620001'] }],
    ['when', 'Wann fährt der Bus?', { sources: ['620003'] }],
    ['answer', 'Was antwortet der Autor?', { sources: ['620003'] }],
  ]),
  ...about('harbour', '630001', [
    ['number', '¿Cuánto tiempo se cocina?', { sources: ['630001'], has: ['veinte minutos'] }],
    ['who', '¿De quién es la receta?', { any: ['630001'] }],
    ['explain', null, { sources: ['630001'], has: ['@cocina_lola'], any: ['630004', '630003', '630007'] }],
  ]),
  ...about('harbour', '640001', [
    ['number', '上映時間は？', { sources: ['640001'], has: ['二時間十分'] }],
    ['fact', 'where is it shown?', { sources: ['640005'] }],
  ]),
  ...about('02-v2', '1574180218616651776', [
    ['when', 'when was this?', { has: ['$date'] }],
    ['nothing', 'what do they say about bicycles?', { nothing: true }],
    ['truth', 'is it true?', { has: ['cannot judge'] }],
  ]),
  ...about('01-v1.1', '674285923211849728', [
    ['who', 'who is this', { has: ['$author'] }],
    ['figures', 'likes?', { has: ['$likes'] }],
  ]),
];
