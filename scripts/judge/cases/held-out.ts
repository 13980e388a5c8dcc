/**
 * The held-out set: written without a look at the phrases and cues of the provider, as users would ask, and scored before
 * anything was changed for it: 74.7 % useful, none untrue. It is reported apart. Do not tune for single cases of it: write new ones instead.
 */
import type { JudgedCase } from '../rubric.ts';
import { about, type Row } from './make.ts';

const unable = String.raw`cannot|can't|can’t|not able|unable|do not know|don't know|does not say|no way`;
const nothing = String.raw`\b(?:no|not|none|nothing|nobody|0)\b`;
const real = (set: string, tweets: readonly string[], rows: readonly Row[]): JudgedCase[] =>
  tweets.flatMap((tweet) => about(set, tweet, rows));
/** A list, or a long explanation. */
const long = { max: 1600 };

export const heldOut: readonly JudgedCase[] = [
  // A park run with nine replies.
  ...about('sample', '2079864414547004592', [
    ['how many runners were there', '139'],
    ['whos this', '$author'],
    ['tl;dr', ['139|5 km|park', '$author']],
    ['any volunteers?', '28'],
    ['When did this happen?', '$date'],
    ['Did anybody reply with a question?', 'plan for the hills'],
    ['was there fog?', 'fog', { has: ['ada_patch'] }],
    ['how popular was this compared to what pace_notes normally gets', 'usual|median|more|less|than'],
    ['what is the weather tomorrow', unable + `|${nothing}`],
    ['ok and who is ada_patch', 'ada_patch'],
    [['what do people say?', 'and the first one, who wrote that?'], '@'],
    ['Cuántos corredores hubo?', '139'],
    ['Wie viele Helfer waren dabei?', '28'],
    ['Combien de likes ?', '$likes'],
    ['誰が書きましたか', '$author'],
    ['Quem escreveu isso?', '$author'],
  ]),
  // A star, and people who want to see planets.
  ...about('sample', '2068282995021003543', [
    ['what does collimation have to do with it', 'star|Andromeda|Collimation'],
    ['which galaxy?', 'Andromeda'],
    ['do the replies like it or not', 'repl|wording|agree|positive|mood', { has: ['@'] }],
    ['who had bad seeing', 'bonk_intern|seeing was awful'],
    ['explain like im five', ['$author', 'Andromeda|star']],
    ['give me 3 bullet points', '•|-|\\*|Andromeda', { ...long }],
    ['is salt_ivy an astronomer?', 'salt_ivy|ivy'],
    ['किसने लिखा?', '$author'],
    ['متى نُشر هذا؟', ['2026|٢٠٢٦']],
    ['what else did she post around then?', '@|“|post', { ...long }],
  ]),
  // Seeds to swap.
  ...about('sample', '2105261702346000584', [
    ['how many seeds', '187'],
    ['does anyone offer something in return?', 'kale'],
    ['what vegetable is it', 'tomato'],
    ['has it got any views', '1[,.]?470'],
    ['what problem did plot_27 have?', 'pigeons'],
    ['show me the best reply', '@'],
    ['how do I save tomato seeds?', 'Saved seed|envelope|nothing about|' + unable],
    ['buy me some seeds', unable],
    ['translate this to German please', unable],
    ['summarize in one line', 'tomato|187'],
    ['Résume le tweet', ['$author', 'tomatoes|187']],
  ]),
  // A bug that was a deletion.
  ...about('sample', '2079670501670379616', [
    ['what was the bug?', 'lock file'],
    ['how did they fix it', 'deletion'],
    ['who offered to review', 'reef_early'],
    ['where was gus when he fixed it', 'train'],
    ['did somebody else have the same problem', 'one_pot_pia|same with'],
    ['is gus_shell famous', 'follower|gus_shell'],
    ['how many retweets and likes', ['$likes', '6']],
    ['Is it ironic?', unable + '|wording|mood'],
    ['what does CLI mean', 'CLI|nothing|' + unable],
  ]),
  // Contracts in replies.
  ...about('sample', '2082533405319824210', [
    ['whats the ticker', 'PEPE'],
    ['should i buy it', unable],
    ['what contract address is in the replies', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'],
    ['which chain', 'Solana|nothing|does not'],
    ['who is hodl_hedda and how many followers does she have', 'hodl_hedda', { has: ['follower'] }],
    ['are people being sarcastic?', unable + '|wording|joke'],
  ]),
  // A reply in the middle of a thread.
  ...about('sample', '2094004619187298811', [
    ['what is this about', ['mira_codes', 'nils_io|tuning']],
    ['what was the post before it?', 'nils_io|@'],
    ['did nils answer her', 'nils_io'],
    ['what did bonk_intern say', 'Odd Cathedral'],
    ['how many replies did she get', '\\d'],
  ]),
  // A quote, a repost, a question in German, a post without replies.
  ...about('sample', '2105731759910154216', [
    ['worum geht es', 'Daten|sichert|krautwerk'],
    ['Gibt es Antworten?', String.raw`\b(?:kein|keine|Antwort|0)\b`],
    ['is there a hashtag', nothing],
  ]),
  ...about('sample', '2109371092807145575', [
    ['who originally posted this', 'basis_point'],
    ['what does he ask', 'listen|runs|hours'],
  ]),
  ...about('sample', '2113551813120555308', [['which post does he mean?', '“|quotes|post|' + nothing]]),
  ...about('sample', '2102785467478679523', [
    ['how high is gas', '11'],
    ['what chores?', 'claims|revokes|moves'],
  ]),
  // Real tweets: everything that is expected comes from the records.
  ...real(
    '02-v2',
    ['1574173885561540608'],
    [
      ['who said that', '$author'],
      ['likes?', '$likes'],
      ['what do they answer', '@|wording', { has: ['$replier'] }],
      ['chi lo ha scritto?', '$author'],
      ['year?', '$date'],
    ],
  ),
  ...real(
    '02-v2',
    ['1574183338247610371'],
    [
      ['Summarise it', '$author'],
      ['do the replies agree', 'wording|@|repl'],
    ],
  ),
  ...real(
    '01-v1.1',
    ['670676153867198464'],
    [
      ['whats he using', '$words'],
      ['when was it', '$date'],
      ['any reply?', '@|repl', { has: ['$reply'] }],
    ],
  ),
  ...real(
    '03-archive',
    ['605030590358896640', '642432434018086913'],
    [
      ['who posted', '$author'],
      ['what hashtags / links are in it', '#|http|no'],
    ],
  ),
];
