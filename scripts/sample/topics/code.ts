import type { Topic } from './topic.ts';

export const code: Topic = {
  lang: 'en',
  tags: ['nodejs', 'opensource', 'typescript', 'devlog', 'testing', 'sqlite'],
  visual: 0.1,
  words: {
    thing: ['the parser', 'the importer', 'the test runner', 'the cache layer', 'the release script', 'the search index', 'the CLI', 'the scheduler'],
    bug: ['an off-by-one', 'a forgotten await', 'a time zone', 'a stale lock file', 'an integer that wanted to be a string', 'a race of two timers'],
  },
  posts: [
    'Spent [the morning|two hours|a train ride] hunting {bug} in {thing}. The fix was [one line|two lines and a test|a deletion].',
    'Released {thing} {1-4}.{0-9}: [smaller|quicker|calmer] than before, {8-60} commits by {2-9} people. Thank you all. #{tag}',
    'The best code review comment this week: "[what happens on a full disk|who reads this log line|could this be a plain function]?"',
    '[Deleted|Removed] {120-900} lines today and every test still passes. [Favourite kind of code|A good day] #{tag}',
    'Small tip: [give every queue a limit|log the unit together with the number|write the error message first]. Your future code will thank you.',
    'Reading {link} over coffee. [Worth it for the diagrams alone.|Clear, short, and right about timeouts.|I disagree with half and learned a lot.]',
    'Question for people who run {thing} in production: [how do you test restores|do you alert on lag or on age|what do you keep for longer than 30 days]?',
    'A flaky test is [a bug report with bad manners|a coin you pay for every day|your clock telling you something]. Ours was {bug}.',
    'Pairing with {who} on {thing} today. [We argued about names for an hour and the code got shorter.|Two keyboards, one bug, zero regrets.]',
    'p99 of {thing} went from {300-900} ms to {8-40} ms. [No magic: an index.|We stopped parsing the same JSON twice.|Batching, nothing else.] #{tag}',
    'First pull request from a [new contributor|student|retired engineer] merged this week. [Docs, and the docs were wrong. Hero.|A typo fix is a fine start.]',
    'Unpopular opinion: [boring tools win|a cron job is a fine architecture|comments age better than diagrams]. #{tag}',
    'Backups are easy. [Restores|Restores on a Sunday|Restores by someone who did not write them] are the feature.',
    'Writing a changelog by hand again. [It takes ten minutes and tells me what we really did.|Turns out readers like sentences.]',
    'Our build cache saved {11-70} hours of machine time in {2-9} days. The code for it has {40-140} lines. #{tag}',
    'If {thing} surprises you, [write the surprise down as a test|do not add a flag, remove a case|draw the state machine]. {who} taught me that.',
  ],
  replies: [
    '[did you measure before or after|is that with a warm cache|which version was that]?',
    'we had the same with {bug}, took us [a week|three people|far too long]',
    'this is the way. [Boring and quick.|Less code, fewer pages at night.]',
    'happy to review if you open a pull request 🙌',
    'how does it behave with {2-9} million rows?',
    'I would pin the version and write down why',
    'nice. Does {thing} still start cold in under a second?',
    '[stealing|borrowing] this for our code base, thanks',
  ],
  links: [
    { url: 'https://example.org/node-24', title: 'What is new in Node 24', description: 'The changes in short.' },
    { url: 'https://notes.example.org/queues', title: 'Queues that stay small', description: 'Back pressure explained with a kitchen sink.' },
    { url: 'https://notes.example.org/timeouts', title: 'Every call needs a deadline', description: 'Timeouts, retries and how they go wrong together.' },
    { url: 'https://archive.example.org/formats', title: 'Formats that last', description: 'Why plain lines of JSON are still readable in ten years.' },
  ],
  threads: [
    ['How we made {thing} start in {80-300} ms instead of {3-9} seconds. A short thread 🧵', 'First we measured. Nearly all the time went into reading files that nobody needed at start.', 'Then we moved that work behind the first request that needs it. Half of the requests never do.', 'Last: one process instead of three. Fewer moving parts, and the code got {20-45} % smaller. #{tag}'],
    ['Notes from {2-9} years of keeping a small open source project alive 🧵', 'Answer new issues within a day, even if the answer is "not this month". Silence is what people remember.', 'Automate the release on day one. You will be tired when it matters.', 'Say no kindly, and link to the reason. A page of decisions saves everybody time.', 'And take holidays. The code will wait. #{tag}'],
  ],
};
