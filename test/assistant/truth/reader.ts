/**
 * An independent reader of the local provider's English answers. It knows the forms of sentences that state a number, a name or
 * an absence, and checks each of them against the records, without any code of the provider. A sentence of an unknown form is a
 * fault too, so that no new kind of claim escapes.
 */
import type { ArchivedTweet, ArchivedUser } from '../../../server/domain/records.ts';

export interface World {
  readonly tweets: ReadonlyMap<string, ArchivedTweet>;
  readonly users: ReadonlyMap<string, ArchivedUser>;
  /** The id of the tweet that the question is about. */
  readonly about: string;
}

type Groups = Readonly<Record<string, string>>;
/** Returns what is wrong with a claim; undefined for a true one. */
type Check = (reader: AnswerReader, groups: Groups) => string | undefined;

const countNames: Readonly<Record<string, keyof ArchivedTweet>> = {
  likes: 'like_count',
  reposts: 'retweet_count',
  replies: 'reply_count',
  quotes: 'quote_count',
  bookmarks: 'bookmark_count',
  views: 'view_count',
};
const numberIn = (text: string): number => Number(text.replaceAll(',', ''));
const flat = (text: string): string =>
  text
    .replace(/[“„«]/gu, '‘')
    .replace(/[”»]/gu, '’')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
const listItems = (list: string): string[] => list.split(/, (?:and )?| and /).filter((item) => item !== '');

export class AnswerReader {
  readonly #world: World;
  #quotes: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** What is untrue in an answer, or not understood. */
  faults(answer: string): string[] {
    this.#quotes = [];
    const marked = answer.replace(/“([^”]*)”/gu, (_, quote: string) => `⟦${this.#quotes.push(quote) - 1}⟧`);
    return marked
      .split('\n')
      .flatMap((line) => line.replace(/^- /, '').split(/(?<=[.?!])\s+(?=[A-Z@⟦]|the user)/u))
      .map((each) => each.trim())
      .filter((sentence) => sentence !== '')
      .flatMap((sentence) => {
        for (const [form, check] of forms) {
          const match = form.exec(sentence);
          if (match === null) continue;
          const fault = check(this, match.groups ?? {});
          return fault === undefined ? [] : [`${fault}: ${this.#restored(sentence)}`];
        }
        return [`unknown form: ${this.#restored(sentence)}`];
      });
  }

  #restored(text: string): string {
    return text.replace(/⟦(\d+)⟧/gu, (_, n: string) => `“${this.#quotes[Number(n)]}”`);
  }

  get subject(): ArchivedTweet {
    return this.tweet(this.#world.about)!;
  }
  /** The tweet with the engagement: for a retweet, the original. */
  get counted(): ArchivedTweet {
    return this.tweet(this.subject.retweeted_tweet_id) ?? this.subject;
  }
  tweet(id: string | undefined): ArchivedTweet | undefined {
    return id === undefined ? undefined : this.#world.tweets.get(id);
  }
  all(): ArchivedTweet[] {
    return [...this.#world.tweets.values()];
  }
  others(): ArchivedTweet[] {
    const { author_id, id, in_reply_to_id } = this.subject;
    return this.all().filter(
      (each) =>
        each.author_id === author_id &&
        each.id !== id &&
        each.retweeted_tweet_id === undefined &&
        (each.in_reply_to_id === undefined) === (in_reply_to_id === undefined),
    );
  }
  replies(): ArchivedTweet[] {
    return this.all().filter((each) => each.in_reply_to_id === this.subject.id);
  }
  /** The replies of others, and those of the author that do not continue the thread. */
  reactions(): ArchivedTweet[] {
    const continued = new Set(this.continuation().map(({ id }) => id));
    return this.replies().filter(({ id }) => !continued.has(id));
  }
  continuation(): ArchivedTweet[] {
    const chain = [this.subject];
    for (;;) {
      const last = chain.at(-1)!;
      const next = this.all()
        .filter((each) => each.in_reply_to_id === last.id && each.author_id === last.author_id && !chain.includes(each))
        .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || Number(BigInt(a.id) - BigInt(b.id)))[0];
      if (next === undefined) return chain.slice(1);
      chain.push(next);
    }
  }
  isBy(tweet: ArchivedTweet, who: string): boolean {
    const user = this.#world.users.get(tweet.author_id);
    const username = /(?:^|\()@([^\s)]+)\)?/u.exec(who)?.[1];
    return username === undefined
      ? who.includes(`user with id ${tweet.author_id}`) && (user?.username ?? '') === ''
      : user?.username === username;
  }
  /** Whether a text has the quotations that a part of a sentence names. */
  says(text: string, part: string): boolean {
    const flatText = flat(text);
    return [...part.matchAll(/⟦(\d+)⟧/gu)].every(([, n]) => {
      const quote = this.#quotes[Number(n)]!;
      return flatText.includes(quote.endsWith('…') ? quote.slice(0, -1).trimEnd() : quote);
    });
  }
  /** The words of quotations in a part of a sentence. */
  words(part: string): string[] {
    return [...part.matchAll(/⟦(\d+)⟧/gu)].map(([, n]) => this.#quotes[Number(n)]!);
  }
  /** Whether somebody wrote the quotation, in a text, article or link preview. */
  wrote(who: string, part: string): boolean {
    return this.all().some((tweet) => this.isBy(tweet, who) && this.says(textsOf(tweet), part));
  }
  followersOf(count: number): boolean {
    return [...this.#world.users.values()].some(({ followers_count }) => followers_count === count);
  }
  /** Checks `likes: 3` for a tweet. */
  figure(tweet: ArchivedTweet, text: string): string | undefined {
    const [, name = '', value = ''] = /^(\w+): ([\d,]+)$/u.exec(text) ?? [];
    const member = countNames[name.toLowerCase()];
    if (member === undefined) return `no figure '${text}'`;
    return tweet[member] === numberIn(value) ? undefined : `${name} is ${String(tweet[member])}`;
  }
}

const textsOf = (tweet: ArchivedTweet): string =>
  [tweet.text, tweet.article?.title, tweet.article?.text, tweet.card?.title, tweet.card?.description].join('\n');
const unless = (isTrue: boolean, fault: string): string | undefined => (isTrue ? undefined : fault);
const at = (when: string): number =>
  Date.parse(
    when
      .replace(' at ', ' ')
      .replace(/ UTC$/, 'Z')
      .replace(/(\d)Z$/, '$1 UTC'),
  );
const isAt = (tweet: ArchivedTweet, when: string): boolean =>
  Math.floor(Date.parse(tweet.created_at) / 60_000) === Math.floor(at(when) / 60_000);
const isOn = (tweet: ArchivedTweet, day: string): boolean =>
  new Date(tweet.created_at).toISOString().slice(0, 10) ===
  new Date(Date.parse(`${day} UTC`)).toISOString().slice(0, 10);
const fine: Check = () => undefined;
const known = (tweet: ArchivedTweet, name: keyof ArchivedTweet): number | undefined =>
  tweet[name] as number | undefined;

const who = String.raw`(?<who>(?:⟦\d+⟧ \()?@[\w.-]+\)?|[Tt]he user with id \d+)`;
const quote = String.raw`(?<quote>⟦\d+⟧(?: … ⟦\d+⟧)*)`;
const form = (source: string): RegExp =>
  new RegExp(`^${source.replaceAll('WHO', who).replaceAll('QUOTE', quote)}$`, 'u');

const levels: Readonly<Record<string, (count: number, median: number, counts: readonly number[]) => boolean>> = {
  'far more than usual': (count, _median, counts) =>
    counts.filter((each) => each < count).length >= 0.9 * counts.length,
  'more than usual': (count, median) => count > median,
  'about as usual': (count, median, counts) =>
    count === median || counts.some((each) => each >= count) || counts.some((each) => each <= count),
  'less than usual': (count, median) => count < median,
  'far less than usual': (count, _median, counts) =>
    counts.filter((each) => each > count).length >= 0.9 * counts.length,
};

const usual: Check = (reader, { label = '', count = '', level = '', posts = '', median = '' }) => {
  const name = countNames[label.toLowerCase()]!;
  const counts = reader
    .others()
    .flatMap((other) => known(other, name) ?? [])
    .sort((a, b) => a - b);
  const middle = Math.floor(
    ((counts[Math.ceil(counts.length / 2) - 1] ?? 0) + (counts[Math.floor(counts.length / 2)] ?? 0)) / 2,
  );
  if (known(reader.subject, name) !== numberIn(count)) return `the count is ${known(reader.subject, name)}`;
  if (counts.length !== numberIn(posts)) return `${counts.length} posts`;
  if (middle !== numberIn(median)) return `the median is ${middle}`;
  return unless(counts.length >= 3 && levels[level]?.(numberIn(count), middle, counts) === true, 'another level');
};

const stanceList: Check = (reader, { list = '' }) => {
  const total = listItems(list).reduce((sum, item) => sum + numberIn(/: (\d+)$/.exec(item)?.[1] ?? 'NaN'), 0);
  return unless(total === reader.reactions().length, `${reader.reactions().length} replies`);
};
const related = (reader: AnswerReader, what: string): ArchivedTweet[] =>
  reader.all().filter(({ id, text }) => id !== reader.subject.id && text.toLowerCase().includes(what.toLowerCase()));
const atMost = (found: number, count: string): string | undefined => unless(numberIn(count) <= found, `only ${found}`);

/** The forms of sentences, each with its check. */
const forms: readonly (readonly [RegExp, Check])[] = [
  [
    form(String.raw`WHO wrote on (?<when>.+ UTC): QUOTE`),
    (reader, { who: name = '', when = '', quote: said = '' }) => {
      const { subject } = reader;
      return unless(reader.isBy(subject, name) && isAt(subject, when) && reader.says(subject.text, said), 'not so');
    },
  ],
  [
    form('WHO posted this without text on (?<when>.+ UTC)[.]'),
    (reader, { who: name = '', when = '' }) =>
      unless(
        reader.isBy(reader.subject, name) &&
          isAt(reader.subject, when) &&
          reader.subject.text.replace(/https?:\/\/\S+/g, '').trim() === '',
        'it has a text',
      ),
  ],
  [
    form('WHO reposted on (?<when>.+ UTC) what (?<whom>.+?) wrote: QUOTE'),
    (reader, { who: name = '', whom = '', quote: said = '' }) => {
      const original = reader.tweet(reader.subject.retweeted_tweet_id);
      return unless(
        original !== undefined &&
          reader.isBy(reader.subject, name) &&
          reader.isBy(original, whom) &&
          reader.says(original.text, said),
        'not so',
      );
    },
  ],
  [
    form('WHO reposted a post on .+ that the archive does not have[.]'),
    (reader) =>
      unless(
        reader.subject.retweeted_tweet_id !== undefined &&
          reader.tweet(reader.subject.retweeted_tweet_id) === undefined,
        'it is there',
      ),
  ],
  [
    form('WHO posted this on (?<when>.+ UTC)[.]'),
    (reader, { who: name = '', when = '' }) =>
      unless(
        reader.all().some((tweet) => reader.isBy(tweet, name) && isAt(tweet, when)),
        'nobody did',
      ),
  ],
  [
    form('The author is WHO[.]'),
    (reader, { who: name = '' }) =>
      unless(
        reader.all().some((tweet) => reader.isBy(tweet, name)),
        'not so',
      ),
  ],
  [form('Verified account[.]'), fine],
  [
    form('Followers: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) => unless(reader.followersOf(numberIn(count)), 'nobody has so many'),
  ],
  [form('The archive has no profile of this author[.]'), fine],
  [
    form('It replies to WHO: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => {
      const parent = reader.tweet(reader.subject.in_reply_to_id);
      return unless(parent !== undefined && reader.isBy(parent, name) && reader.says(parent.text, said), 'not so');
    },
  ],
  [
    form("It continues the author's own post: QUOTE"),
    (reader, { quote: said = '' }) => {
      const parent = reader.tweet(reader.subject.in_reply_to_id);
      return unless(parent?.author_id === reader.subject.author_id && reader.says(parent.text, said), 'not so');
    },
  ],
  [
    form('It replies to a post (?:by @(?<name>\\S+) )?that the archive does not have[.]'),
    (reader, { name }) => {
      const { in_reply_to_id: id, in_reply_to_username: username } = reader.subject;
      return unless(id !== undefined && reader.tweet(id) === undefined && username === name, 'not so');
    },
  ],
  [
    form('It is not marked as a reply to another post[.]'),
    (reader) => unless(reader.subject.in_reply_to_id === undefined, 'it is a reply'),
  ],
  [
    form('WHO started the thread: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => unless(reader.wrote(name, said), 'not so'),
  ],
  [
    form('The author continues the thread; later posts in the archive: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) =>
      unless(reader.continuation().length === numberIn(count), `${reader.continuation().length}`),
  ],
  [
    form('The archive has no later post of the author in this thread[.]'),
    (reader) => unless(reader.continuation().length === 0, 'it has'),
  ],
  [
    form('It quotes WHO: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => {
      const other = reader.tweet(reader.subject.quoted_tweet_id);
      return unless(other !== undefined && reader.isBy(other, name) && reader.says(other.text, said), 'not so');
    },
  ],
  [
    form('It quotes a post that the archive does not have[.]'),
    (reader) =>
      unless(
        reader.subject.quoted_tweet_id !== undefined && reader.tweet(reader.subject.quoted_tweet_id) === undefined,
        'not so',
      ),
  ],
  [
    form('It is not marked as a quote of another post[.]'),
    (reader) => unless(reader.subject.quoted_tweet_id === undefined, 'it quotes'),
  ],
  [
    form('It links to (?<list>.+)[.]'),
    (reader, { list = '' }) => {
      const urls = [
        reader.subject,
        reader.tweet(reader.subject.quoted_tweet_id),
        reader.tweet(reader.subject.retweeted_tweet_id),
      ].map((tweet) => JSON.stringify(tweet ?? ''));
      const domains = listItems(list).map((item) => /\(([^)]+)\)$/.exec(item)?.[1] ?? item);
      return unless(
        domains.every((domain) => urls.some((text) => text.includes(domain)) && !/(?:twitter|x)\.com/.test(domain)),
        'no such link',
      );
    },
  ],
  [
    form('The archive has no link in this post[.]'),
    (reader) =>
      unless(
        (reader.subject.entities?.urls ?? []).every(({ url }) => /\/status\//.test(url)),
        'it has one',
      ),
  ],
  [
    form('(?:The archive has no picture or video of this post|It mentions nobody by username|It has no hashtag)[.]'),
    (reader) =>
      unless(
        (reader.subject.media ?? []).length === 0 || (reader.subject.entities?.hashtags ?? []).length === 0,
        'it has one',
      ),
  ],
  [
    form('Its hashtags: (?<list>.+)[.]'),
    (reader, { list = '' }) =>
      unless(
        listItems(list).every((tag) => reader.subject.text.includes(tag)),
        'no such tag',
      ),
  ],
  [
    form('It mentions (?<list>.+)[.]'),
    (reader, { list = '' }) =>
      unless(
        listItems(list).every((name) => reader.subject.text.includes(name)),
        'no such mention',
      ),
  ],
  [form('Attached: .+[.]'), (reader) => unless((reader.counted.media ?? []).length > 0, 'nothing is attached')],
  [form('I cannot see pictures or videos[.]'), fine],
  [
    form('(?<kind>Figures|Figures of the reposted post): (?<list>.+)[.]'),
    (reader, { list = '' }) => {
      // After a reference to one of a list, the figures are those of that post.
      const faults = reader.all().map((tweet) => listItems(list).flatMap((item) => reader.figure(tweet, item) ?? []));
      const own = faults[reader.all().indexOf(reader.counted)]!;
      return own.length === 0 || faults.some((each) => each.length === 0) ? undefined : own.join();
    },
  ],
  [
    form('The source gave no count of: (?<list>.+)[.]'),
    (reader, { list = '' }) => {
      const unknown = (tweet: ArchivedTweet): boolean =>
        listItems(list).every((name) => known(tweet, countNames[name]!) === undefined);
      return unless(reader.all().some(unknown), 'they are known');
    },
  ],
  [
    form('The source gave no counts for this post[.]'),
    (reader) =>
      unless(
        reader.all().some((tweet) => Object.values(countNames).every((name) => known(tweet, name) === undefined)),
        'some are known',
      ),
  ],
  [
    form(
      '(?<label>Likes|Views): (?<count>[\\d,]+), (?<level>[a-z ]+) for this author \\(median of (?<posts>[\\d,]+) other posts in the archive: (?<median>[\\d,]+)\\)[.]',
    ),
    usual,
  ],
  [form('(?<figure>[A-Z][a-z]+: [\\d,]+)[.]'), (reader, { figure = '' }) => reader.figure(reader.counted, figure)],
  [
    form(
      'There are too few counted posts of this author in the archive for a comparison: (?<posts>[\\d,]+) of at least 3[.]',
    ),
    (reader, { posts = '' }) => {
      const counts = (['like_count', 'view_count'] as const).map(
        (name) => reader.others().filter((other) => known(other, name) !== undefined).length,
      );
      return unless(Math.max(...counts) === numberIn(posts), `${Math.max(...counts)}`);
    },
  ],
  [
    form('It is a repost, so it has no engagement of its own to compare[.]'),
    (reader) => unless(reader.subject.retweeted_tweet_id !== undefined, 'it is none'),
  ],
  [
    form('Replies in the archive: (?<count>[\\d,]+)(?: of (?<total>[\\d,]+))?[.]'),
    (reader, { count = '', total }) =>
      unless(
        reader.replies().length === numberIn(count) &&
          (total === undefined || reader.counted.reply_count === numberIn(total)),
        `${reader.replies().length} of ${reader.counted.reply_count}`,
      ),
  ],
  [
    form('It had no replies when the source counted them[.]'),
    (reader) => unless(reader.counted.reply_count === 0 && reader.replies().length === 0, 'unknown, or some'),
  ],
  [
    form('The source counted replies \\((?<total>[\\d,]+)\\), but the archive has none of them[.]'),
    (reader, { total = '' }) =>
      unless(reader.replies().length === 0 && reader.counted.reply_count === numberIn(total), 'not so'),
  ],
  [
    form('The archive has no replies to it, and the source gave no count of them[.]'),
    (reader) => unless(reader.replies().length === 0 && reader.counted.reply_count === undefined, 'not so'),
  ],
  [
    form("The archive has no replies by others, only the author's own[.]"),
    (reader) => unless(reader.replies().length > 0 && reader.reactions().length === 0, 'not so'),
  ],
  [form('By their wording: (?<list>.+)[.]'), stanceList],
  [
    form(
      '(?:Yes, by their wording: .+ \\((?<count>[\\d,]+)|No reply in the archive clearly does that by its wording \\(.+: 0) of (?<total>[\\d,]+)\\)?[.]?\\)?[.]?',
    ),
    (reader, { total = '' }) =>
      unless(reader.reactions().length === numberIn(total), `${reader.reactions().length} replies`),
  ],
  [
    form('Replies that doubt or disagree by their wording: (?<count>[\\d,]+) of (?<total>[\\d,]+)[.]'),
    (reader, { total = '' }) =>
      unless(reader.reactions().length === numberIn(total), `${reader.reactions().length} replies`),
  ],
  [
    form('The most engaging reply, by WHO: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => {
      const most = Math.max(...reader.reactions().map(engagementOf));
      return unless(
        reader
          .reactions()
          .some((reply) => reader.isBy(reply, name) && reader.says(reply.text, said) && engagementOf(reply) === most),
        'not so',
      );
    },
  ],
  [
    form('One of them, by WHO: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => unless(reader.wrote(name, said), 'nobody wrote that'),
  ],
  [
    form(
      '(?:The (?:replies|post) sounds? .+ by (?:their|its) words and emoji|I found no word or emoji that shows a mood|Words that count: .+)[.]',
    ),
    fine,
  ],
  [
    form('Positive: (?<a>[\\d,]+), negative: (?<b>[\\d,]+), neither: (?<c>[\\d,]+)[.]'),
    (reader, { a = '', b = '', c = '' }) =>
      unless(
        numberIn(a) + numberIn(b) + numberIn(c) === reader.reactions().length,
        `${reader.reactions().length} replies`,
      ),
  ],
  [
    form('Other posts of the author in the archive that I read: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) => unless(reader.others().length === numberIn(count), `${reader.others().length}`),
  ],
  [
    form('Frequent words in them, with the number of posts: (?<list>.+)[.]'),
    (reader, { list = '' }) => {
      const words = reader.words(list);
      return unless(
        listItems(list).every((item, n) => {
          const having = reader.others().filter(({ text }) => text.toLowerCase().includes(words[n] ?? '\0')).length;
          return numberIn(/: (\d+)$/.exec(item)?.[1] ?? 'NaN') <= having;
        }),
        'not so often',
      );
    },
  ],
  [form('No word occurs often in them[.]'), fine],
  [
    form('The newest of them, from (?<day>.+): QUOTE'),
    (reader, { day = '', quote: said = '' }) => {
      const newest = Math.max(...reader.others().map(({ created_at }) => Date.parse(created_at)));
      return unless(
        reader
          .others()
          .some(
            (other) => Date.parse(other.created_at) === newest && isOn(other, day) && reader.says(other.text, said),
          ),
        'not so',
      );
    },
  ],
  [
    form('The archive has no other post of this kind by the author[.]'),
    (reader) => unless(reader.others().length === 0, 'it has'),
  ],
  [form('This passage gives a reason[.]'), fine],
  [form('The archive states no reason[.]'), fine],
  [
    form('(?:The archive states no reason, and the post has no text)[.]'),
    (reader) => unless(reader.counted.text.trim() === '', 'it has'),
  ],
  [
    form('The post says: QUOTE'),
    (reader, { quote: said = '' }) => unless(reader.says(reader.counted.text, said), 'it does not'),
  ],
  [form('Nothing here answers this directly[.]'), fine],
  [
    form('The closest passage is by WHO \\(.+\\): QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => unless(reader.wrote(name, said), 'nobody wrote that'),
  ],
  [
    form('I found nothing about (?<list>.+) in (?<places>[^⟦]+)[.]'),
    (reader, { list = '', places = '' }) =>
      unless(
        reader.words(list).every((word) => !placesIn(reader, places).includes(word.toLowerCase())),
        'the words are there',
      ),
  ],
  [form('I found nothing that answers this in .+[.]'), fine],
  [
    form('Elsewhere in the archive, posts with these words \\((?<list>.+)\\): (?<count>[\\d,]+)(?: or more)?[.]'),
    (reader, { list = '', count = '' }) =>
      atMost(
        reader.all().filter((tweet) => reader.words(list).every((word) => textsOf(tweet).toLowerCase().includes(word)))
          .length,
        count,
      ),
  ],
  [form('I compare words, and the post is in another language \\(.+\\)[.]'), fine],
  [form('The archive has no such text for this post[.]'), fine],
  [
    form('Other posts in the archive on the same subject: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) => atMost(reader.all().length - 1, count),
  ],
  [
    form('Posts with the same link \\((?<what>.+)\\): (?<count>[\\d,]+)[.]'),
    (reader, { what = '', count = '' }) => atMost(related(reader, reader.words(what)[0] ?? what).length, count),
  ],
  [
    form('Posts with (?<what>[$#]\\w+): (?<count>[\\d,]+)[.]'),
    (reader, { what = '', count = '' }) => atMost(related(reader, what).length, count),
  ],
  [
    form('Posts of the author within three days: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) =>
      atMost(
        reader
          .all()
          .filter(
            (each) =>
              each.author_id === reader.subject.author_id &&
              Math.abs(Date.parse(each.created_at) - Date.parse(reader.subject.created_at)) <= 259_200_000,
          ).length - 1,
        count,
      ),
  ],
  [
    form('I found no other post in the archive with the same link, tag or cashtag[.]'),
    (reader) => {
      const marks = reader.counted.text.match(/[#$][a-z]\w*|(?<=https:\/\/)\S+/gi) ?? [];
      return unless(
        marks.every((mark) => related(reader, mark).length === 0),
        'there is one',
      );
    },
  ],
  [
    form('Number [\\d,]+, by WHO: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => unless(reader.wrote(name, said), 'nobody wrote that'),
  ],
  [
    form(
      '(?:There is no number [\\d,]+: I listed [\\d,]+|I have listed nothing that this could mean|There is nothing more in the archive on this)[.]',
    ),
    fine,
  ],
  [
    form(
      '(?:I cannot translate|I cannot judge whether this is true: I only read the archive|I cannot predict anything or give advice: I only read the archive|I have no opinion: I only read the archive)[.]',
    ),
    fine,
  ],
  [form('A language model can try; the operator of this service connects one with ASSISTANT=openai[.]'), fine],
  [form('(?:I am the local assistant of this service|I answer from the archive only: .+)[.]'), fine],
  [
    form('(?:The post names no token, ticker or contract address|I did not check whether this token is genuine)[.]'),
    fine,
  ],
  [
    form('The post names a token: ticker: \\$(?<ticker>\\w+)(?: and .+)?[.]'),
    (reader, { ticker = '' }) => unless(JSON.stringify(reader.all()).includes(`$${ticker}`), 'it does not'),
  ],
  [
    form('It publishes the article QUOTE[.]'),
    (reader, { quote: said = '' }) => unless(reader.says(textsOf(reader.counted), said), 'it does not'),
  ],
  [
    form('From the article: QUOTE'),
    (reader, { quote: said = '' }) => unless(reader.says(textsOf(reader.counted), said), 'it does not'),
  ],
  [
    form('WHO(?: \\((?<place>[^)]+)\\))?: QUOTE(?: \\(likes: (?<likes>[\\d,]+)\\))?'),
    (reader, { who: name = '', quote: said = '', likes }) =>
      unless(
        reader
          .all()
          .some(
            (tweet) =>
              reader.isBy(tweet, name) &&
              reader.says(textsOf(tweet), said) &&
              (likes === undefined || tweet.like_count === numberIn(likes)),
          ),
        'nobody wrote that',
      ),
  ],
  [
    form('QUOTE'),
    (reader, { quote: said = '' }) => unless(reader.says(textsOf(reader.counted), said), 'the post does not say that'),
  ],
];

const engagementOf = ({ like_count = 0, retweet_count = 0, quote_count = 0, reply_count = 0 }: ArchivedTweet): number =>
  like_count + 2 * retweet_count + 2 * quote_count + reply_count;

/** All texts of the places that a sentence names, in lower case. */
function placesIn(reader: AnswerReader, places: string): string {
  const { subject } = reader;
  const texts: (ArchivedTweet | undefined)[] = [];
  if (/\bthe post\b|article|preview/.test(places)) texts.push(subject);
  if (/quoted/.test(places)) texts.push(reader.tweet(subject.quoted_tweet_id));
  if (/reposted/.test(places)) texts.push(reader.tweet(subject.retweeted_tweet_id));
  if (/thread/.test(places)) texts.push(reader.tweet(subject.in_reply_to_id), ...reader.continuation());
  if (/replies/.test(places)) texts.push(...reader.reactions());
  if (/other posts/.test(places)) texts.push(...reader.others());
  return texts
    .map((tweet) => (tweet === undefined ? '' : spoken(textsOf(tweet))))
    .join('\n')
    .toLowerCase();
}

/** A text without what is not a word of it: links and the users that a reply addresses. */
const spoken = (text: string): string => text.replace(/^(?:@\S+\s+)+/u, '').replace(/https?:\/\/\S+/g, ' ');
