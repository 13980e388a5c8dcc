/** Subjects to ask providers about. */
import type { Schemas } from '../../../server/contract/operations.ts';
import type { ArchiveReader, Question, Subject } from '../../../server/ports/assistant-provider.ts';
import type { TweetBackground } from '../../../server/ports/platform.ts';

type Tweet = Schemas['Tweet'];

/** An archive without tweets. */
export const emptyArchive: ArchiveReader = {
  search: async () => [],
  thread: async () => [],
  author: async () => [],
  retweeters: async () => [],
  profiles: async () => [],
  present: async () => new Set(),
  backgrounds: async () => new Map(),
};

const background: TweetBackground = {
  knownCounts: [],
  inReplyToId: undefined,
  inReplyToUsername: undefined,
  quotedId: undefined,
  retweetedId: undefined,
  lang: undefined,
};

/** An archive that has every tweet, and finds none. */
export const fullArchive: ArchiveReader = {
  ...emptyArchive,
  present: async (ids) => new Set(ids),
  backgrounds: async (ids) => new Map(ids.map((id) => [id, background])),
};

const mira = {
  id: '4200000001',
  name: 'Mira Holt',
  username: 'mira_codes',
  profile_image: '',
  verified: true,
  followers_count: 1840,
};

export function author(username: string): Tweet['author'] {
  return { ...mira, id: `id-of-${username}`, name: username, username, verified: false, followers_count: 12 };
}

export function tweet(id: string, text: string, members: Partial<Tweet> = {}): Tweet {
  return {
    id,
    text,
    created_at: '2026-03-04T05:06:07.000Z',
    author: mira,
    retweet_count: 3,
    reply_count: 4,
    like_count: 120,
    quote_count: 1,
    bookmark_count: 2,
    view_count: 3400,
    media: [],
    entities: { mentions: [], hashtags: [], cashtags: [], urls: [] },
    quoted_tweet: null,
    retweeted_tweet: null,
    ...members,
  };
}

export const subject = (text: string, members: Partial<Tweet> = {}, around: Partial<Subject> = {}): Subject => ({
  tweet: tweet('1', text, members),
  thread: [],
  replies: [],
  authored: [],
  continuation: [],
  deeperReplies: [],
  quotes: [],
  later: [],
  linked: [],
  profile: undefined,
  backgrounds: new Map(),
  ...around,
});

export const question = (about: Subject, rest: Partial<Question> = {}): Question => ({
  subject: about,
  archive: emptyArchive,
  turns: [],
  prompt: null,
  model: 'assistant-3-latest',
  suggest: null,
  extract: false,
  ...rest,
});

/** A post with everything around it. */
export const build: Subject = subject(
  'We moved our build to Node 24. The slowest test run fell from nine minutes to two. Type stripping replaced the loader. Nobody misses the dist folder. https://example.org/node-24',
  {
    card: {
      url: 'https://example.org/node-24',
      title: 'What is new in Node 24',
      domain: 'example.org',
      image: '',
      description: 'Type stripping is stable.',
    },
    entities: {
      mentions: [],
      hashtags: [],
      cashtags: [],
      urls: [{ url: 'https://example.org/node-24', display_url: 'example.org/node-24' }],
    },
    quoted_tweet: tweet('2', 'A runtime should read what I write.', { author: author('lena_types') }),
  },
  {
    thread: [tweet('3', 'Builds are slow. What next?', { author: author('slow_sam') })],
    replies: [
      tweet('4', '@mira_codes Which loader did you use before?', { author: author('yuki_logs'), like_count: 12 }),
      tweet('5', '@mira_codes Did the memory use change as well?', { author: author('cold_wallet'), like_count: 3 }),
    ],
    authored: [10, 20, 30, 40, 50].map((likes) =>
      tweet(`9${likes}`, `Espresso notes, cup ${likes}.`, { like_count: likes, view_count: likes * 50 }),
    ),
  },
);
