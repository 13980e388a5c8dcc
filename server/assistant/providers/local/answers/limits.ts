/** What this provider cannot do, with what the archive says about it; reasons; and what the provider is. */
import type { Answer, Context } from '../context.ts';
import { languageOf } from '../languages/choose.ts';
import { wordsPattern } from '../languages/matcher.ts';
import type { PhraseName } from '../languages/language.ts';
import type { Passage } from '../passages.ts';
import type { Limit } from '../question.ts';
import { languageOfPost, stanceOf } from '../stance.ts';
import { fold } from '../../../../search/language/tokenizer.ts';
import { quoted } from '../wording.ts';
import { links } from './details.ts';
import { replyLine } from './replies.ts';
import { matchesFor, passageLine } from './search.ts';
import { gist, statement } from './statement.ts';

const refusals: Readonly<Record<Limit, PhraseName>> = {
  translate: 'cannotTranslate',
  verify: 'cannotVerify',
  predict: 'cannotPredict',
  judge: 'cannotJudge',
  act: 'cannotAct',
};
const maxPassages = 2;

/** That the provider cannot do this, who can, and what the archive has on it. */
export function limit(context: Context, kind: Limit, terms: readonly string[]): Answer {
  const { wording } = context;
  const found =
    terms.length === 0
      ? []
      : matchesFor(context, { terms, place: undefined, wantsNumber: false })
          .filter(({ coverage }) => coverage >= 0.3)
          .slice(0, maxPassages)
          .map(({ passage }) => passageLine(context, passage));
  const said = found.length > 0 ? found : [statement(context, 2)];
  return {
    // A model cannot do it either.
    lead: kind === 'act' ? wording.say('cannotAct') : `${wording.say(refusals[kind])} ${wording.say('useModel')}`,
    evidence: [...said, ...(kind === 'verify' ? [...doubts(context), ...links(context)] : [])],
  };
}

/** The replies that doubt the post or disagree. */
function doubts(context: Context): string[] {
  const { subject, wording, replies } = context;
  if (replies.length === 0) return [];
  const doubting = replies.filter((reply) => stanceOf(reply.text, languageOfPost(subject, reply)) === 'disagree');
  return [
    wording.say('doubts', { count: doubting.length, total: replies.length }),
    ...doubting.slice(0, maxPassages).map((reply) => replyLine(context, reply)),
  ];
}

/** Passages by the author that give a reason, in the language of the post or of the question. */
function reasons(context: Context, terms: readonly string[]): Passage[] {
  const { subject, wording, passages, lexis } = context;
  const { tweet } = subject;
  const writer = (tweet.retweeted_tweet ?? tweet).author.id;
  const ofPost = languageOfPost(subject, tweet) ?? languageOf('en');
  const patterns = [...new Set([wording.language, ofPost])].flatMap((language) =>
    language === undefined ? [] : [wordsPattern(language.cues.reason, language)],
  );
  const own = passages.filter(
    (passage) =>
      passage.place !== 'authored' &&
      passage.tweet.author.id === writer &&
      patterns.some((pattern) => pattern.test(fold(passage.text))),
  );
  const stems = new Set(terms.map(lexis.stem));
  const hits = (passage: Passage): number => passage.terms.filter((term) => stems.has(term)).length;
  const isSmall = own.length <= 1;
  return own.filter((passage) => stems.size === 0 || isSmall || hits(passage) > 0).sort((a, b) => hits(b) - hits(a));
}

/** Why: a passage that gives a reason, or that the archive states none. */
export function why(context: Context, terms: readonly string[]): Answer {
  const { subject, wording } = context;
  const [first, ...more] = reasons(context, terms);
  if (first !== undefined)
    return {
      lead: wording.say('reasonGiven', { who: wording.nameOf(first.tweet), quote: quoted(first.text) }),
      evidence: more.slice(0, 1).map((passage) => passageLine(context, passage)),
    };
  const post = subject.tweet.retweeted_tweet ?? subject.tweet;
  if (post.text.trim() === '') return { lead: wording.say('noReasonNoText') };
  const place = subject.tweet.retweeted_tweet === null ? 'post' : 'repeated';
  const near = matchesFor(context, { terms, place: undefined, wantsNumber: false }).filter(
    ({ passage }) => passage.tweet.id !== post.id && passage.place !== 'authored',
  );
  return {
    lead: wording.say('noReason', { quote: gist(context, post, place, 2) }),
    evidence: near.slice(0, 1).map(({ passage }) => passageLine(context, passage)),
  };
}

export const self = ({ wording }: Context): Answer => ({ lead: wording.say('self') });
