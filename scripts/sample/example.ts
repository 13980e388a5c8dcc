/** The tweets of the examples in spec/openapi.yaml, with the conversation of the first one. */

interface ExampleTweet {
  id: string;
  author: string;
  text: string;
  at: string;
  replyTo?: string;
}

export const buildTweet = '1890000000000000001';
export const harbourTweet = '1890000000000000002';

/** Their ids and times are older than the rest of the sample. */
export const exampleTweets: ExampleTweet[] = [
  {
    id: buildTweet,
    author: 'mira_codes',
    at: '2026-03-04T05:06:07.000Z',
    text: 'We moved the build to Node 24: nine minutes are two now. Notes: https://example.org/node-24 #nodejs',
  },
  {
    id: harbourTweet,
    author: 'mira_codes',
    at: '2026-03-04T05:14:00.000Z',
    text: 'First light over the harbour @tom_sails',
  },
  {
    id: '1890000000000000003',
    author: 'tom_sails',
    at: '2026-03-04T05:20:00.000Z',
    replyTo: buildTweet,
    text: '@mira_codes which part of it was the slowest?',
  },
  {
    id: '1890000000000000009',
    author: 'tom_sails',
    at: '2026-03-05T18:30:00.000Z',
    text: 'A boat and a server want the same things: few parts, dry feet, and somebody who listens when they sound odd. ⛵',
  },
];

/** The replies in order of time; `to` is the index of the parent reply, or -1 for the question. */
export const buildReplies: [author: string, minutes: number, text: string, to?: number][] = [
  ['mira_codes', 21, '@tom_sails The database fixtures. We made them anew for every file; now once, and copied.', -1],
  ['tom_sails', 26, '@mira_codes Copied how? A file copy, or a template?', 0],
  ['mira_codes', 33, '@tom_sails A file copy. SQLite makes that almost unfair.', 1],
  ['ada_patch', 40, '@mira_codes Lovely. How many lines did you delete? 😄'],
  ['mira_codes', 44, '@ada_patch 611. I counted twice.', 3],
  ['ada_patch', 47, '@mira_codes Framing this one.', 4],
  ['nils_io', 52, '@mira_codes Is the two minutes with a cold cache as well?'],
  ['mira_codes', 58, '@nils_io Cold is 2:40, warm is 1:55.', 6],
  [
    'lena_types',
    61,
    '@mira_codes Did you drop the compile step in tests, too? Ours went from four minutes to one by type stripping alone.',
  ],
  ['mira_codes', 70, '@lena_types Yes! No dist folder any more, and stack traces point at real lines.', 8],
  ['priya_builds', 83, '@mira_codes Bookmarked. We are still on 20 and I feel it every morning.'],
  ['gus_shell', 95, '@mira_codes Parabéns! What did you do about native modules?'],
  ['mira_codes', 101, '@gus_shell We had two. One had prebuilt files, the other turned out to be unused.', 11],
  ['kofi_dev', 130, '@mira_codes Seven minutes times forty runs a day… that is a working day per week. Well done 👏'],
  ['yuki_logs', 180, '@mira_codes 素晴らしい! Did the memory use change as well?'],
  ['mira_codes', 190, '@yuki_logs About 15 % less at the peak.', 14],
  ['eight_bit_bea', 240, '@mira_codes My oldest computer takes nine minutes to load one game. I feel seen.'],
  ['beanward', 300, '@mira_codes Two minutes is too short for a pour-over. Please consider the coffee people.'],
  ['mira_codes', 306, '@beanward Espresso driven development. ☕', 17],
  ['cold_wallet', 420, '@mira_codes Do you pin the Node version in the repository or on the machine?'],
  ['mira_codes', 431, '@cold_wallet In the repository. One file, and every machine obeys.', 19],
  ['kerb_appeal', 800, '@mira_codes The notes are so clear that I, a street designer, understood them.'],
  ['margin_note', 1500, '@mira_codes “We stopped losing the thread” is a good sentence.'],
  ['chainline', 2900, '@mira_codes Same advice as for bicycles: measure, then replace the worn part only.'],
];
