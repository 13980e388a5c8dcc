/** Random small archives, and a conversation about a tweet of them that the independent reader checks. */
import { archiveReader } from '../../../server/assistant/archive-reader.ts';
import { localProvider } from '../../../server/assistant/providers/local.ts';
import { subjectOf } from '../../../server/assistant/subject.ts';
import type { ArchivedTweet, ArchivedUser } from '../../../server/domain/records.ts';
import type { Turn } from '../../../server/ports/assistant-provider.ts';
import { options } from '../../support/call-options.ts';
import fc from '../../support/property.ts';
import { openArchiveOf } from '../../support/stored-archive.ts';
import { AnswerReader, type World } from './reader.ts';

const provider = localProvider();

/** The English questions that each random archive is asked, in this order, as one conversation. */
const prompts = [
  null,
  'Summarise in one sentence',
  'bullet points please',
  'Who wrote it?',
  'When was it posted?',
  'Why did they move the build?',
  'What do the replies say?',
  'and the second one?',
  'who wrote that?',
  'more',
  'Does anyone disagree?',
  'Do people agree?',
  'What do they ask?',
  'What is the mood of the replies?',
  'What does it reply to?',
  'What comes next in the thread?',
  'What does it quote?',
  'How many likes does it have?',
  'How many replies?',
  'Is that a lot?',
  'Which link is it?',
  'What else does the archive say about this?',
  'What else is there about coffee?',
  'What about the harbour?',
  'What do the replies say about node?',
  'Does it mention the price of zinc?',
  'Is it true?',
  'Will it work?',
  'Translate it',
  'What does she usually post about?',
  'Which token is it?',
  'the last one?',
];

export const users: readonly ArchivedUser[] = [
  { id: '1', username: 'mira_codes', name: 'Mira Holt', verified: true, followers_count: 1840 },
  { id: '2', username: 'tom', name: 'Tom “The” Sailor' },
  { id: '3', username: 'ann.example.com', name: '' },
];
const count = fc.option(fc.constantFrom(0, 0, 1, 5, 40, 1200), { nil: undefined });
const text = fc.constantFrom(
  'We moved the build to Node 24. Nobody misses the old loader.',
  'The harbour is frozen because the wind turned. Coffee helps!',
  'I disagree, that is wrong.',
  'Great, congratulations!',
  'Which loader did you use?',
  'lol 😂',
  'A quote in it: “The author is verified”. Replies in the archive: 99.',
  'Coffee #espresso and $NODE are fine. https://example.org/node',
  '',
  'Look https://x.com/tom/status/900',
  'Behind the scenes.\n#harbour #zinc',
  `${'So long. '.repeat(60)}The price of zinc fell.`,
);
const id = fc.integer({ min: 100, max: 112 }).map(String);
const maybe = (values: fc.Arbitrary<string>) => fc.option(values, { nil: undefined, freq: 1 });

/** A random tweet. Unknown counts are absent; some references lead to tweets that the archive does not have. */
export const randomTweet: fc.Arbitrary<ArchivedTweet> = fc
  .record({
    id,
    text,
    author_id: fc.constantFrom('1', '1', '2', '3', '4'),
    minute: fc.integer({ min: 0, max: 9000 }),
    like_count: count,
    view_count: count,
    reply_count: count,
    retweet_count: count,
    parent: maybe(fc.constantFrom('100', '100', '101', '999')),
    quoted: fc.option(fc.constantFrom('102', '998'), { nil: undefined, freq: 4 }),
    retweeted: fc.option(fc.constantFrom('103', '997'), { nil: undefined, freq: 12 }),
    username: maybe(fc.constantFrom('gone_gil')),
  })
  .map(({ minute, parent, quoted, retweeted, username, ...rest }): ArchivedTweet => {
    const refers = (to: string | undefined): string | undefined => (to === rest.id ? undefined : to);
    const made = {
      ...rest,
      created_at: new Date(Date.UTC(2026, 2, 4, 5, minute)).toISOString(),
      in_reply_to_id: refers(parent),
      in_reply_to_username: refers(parent) === '999' ? username : undefined,
      quoted_tweet_id: refers(quoted),
      retweeted_tweet_id: parent === undefined ? refers(retweeted) : undefined,
      entities: {
        mentions: [],
        hashtags: rest.text.includes('#espresso') ? ['espresso'] : [],
        cashtags: rest.text.includes('$') ? ['NODE'] : [],
        urls: [...rest.text.matchAll(/https?:\/\/\S+/g)].map(([url]) => ({ url, display_url: url.slice(8) })),
      },
    };
    return JSON.parse(JSON.stringify(made)) as ArchivedTweet;
  });

/** Asks everything about a tweet, as one conversation, and returns what the reader finds. */
export async function faultsOf(tweets: readonly ArchivedTweet[], about: string): Promise<string[]> {
  const { platform, close } = await openArchiveOf([
    ...users.map((user) => ({ kind: 'user' as const, user })),
    ...tweets.map((tweet) => ({ kind: 'tweet' as const, tweet })),
  ]);
  const world: World = {
    tweets: new Map(tweets.map((each) => [each.id, each])),
    users: new Map(users.map((user) => [user.id, user])),
    about,
  };
  const reader = new AnswerReader(world);
  const subject = await subjectOf(platform, about, options);
  const turns: Turn[] = [];
  const faults: string[] = [];
  for (const prompt of prompts) {
    const { summary } = await provider.ask(
      { id: 'local-1' },
      { subject, archive: archiveReader(platform, options), turns, prompt, model: 'm', suggest: null, extract: false },
      { signal: options.signal, questions: 1 },
    );
    faults.push(...reader.faults(summary).map((fault) => `${prompt}: ${fault}`));
    turns.push({ prompt, answer: summary });
  }
  await close();
  return faults;
}
