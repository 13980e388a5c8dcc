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
    .replace(/\[(\d+)\]/g, '($1)')
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
    const marked = answer
      .replace(/“([^”]*)”/gu, (_, quote: string) => `⟦${this.#quotes.push(quote) - 1}⟧`)
      // The numbers of the sources.
      .replace(/ \[\d+\]/g, '');
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

  /** What is untrue in an answer in any language: of other languages than English only the quotations and the names are read. */
  faultsInAnyLanguage(answer: string): string[] {
    const faults = this.faults(answer);
    const isEnglish = faults.length === 0 || faults.some((fault) => !fault.startsWith('unknown form'));
    if (isEnglish || this.#isEnglish(answer)) return faults;
    return this.#quotes
      .filter(
        (quote) =>
          /\s/.test(quote) &&
          !this.all().some((tweet) => this.#hasQuote(textsOf(tweet), quote)) &&
          !this.#isOfUser(quote),
      )
      .map((quote) => `nobody wrote “${quote}”`);
  }

  #isEnglish(answer: string): boolean {
    return /\b(?:the|wrote|posted|answered|asked|this)\b/i.test(answer.replace(/“[^”]*”/gu, ''));
  }
  #isOfUser(quote: string): boolean {
    return [...this.#world.users.values()].some(
      ({ name = '', description = '' }) => flat(name) === quote || flat(description).includes(quote),
    );
  }
  #hasQuote(text: string, quote: string): boolean {
    return quote
      .split(' … ')
      .every((part) => flat(text).includes(part.endsWith('…') ? part.slice(0, -1).trimEnd() : part));
  }
  /** Whether somebody's profile has a quotation. */
  profileSays(userId: string, part: string): boolean {
    const { description = '' } = this.#world.users.get(userId) ?? {};
    return this.words(part).every((quote) => this.#hasQuote(description, quote));
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
  /** What others say about the subject: replies and quotes. */
  said(): ArchivedTweet[] {
    return [...this.replies(), ...this.quotes()].filter(({ author_id }) => author_id !== this.subject.author_id);
  }
  quotes(): ArchivedTweet[] {
    return this.all().filter((each) => each.quoted_tweet_id === this.subject.id);
  }
  author(): ArchivedUser | undefined {
    return this.#world.users.get(this.subject.author_id);
  }
  isBy(tweet: ArchivedTweet, who: string): boolean {
    const user = this.#world.users.get(tweet.author_id);
    const username = /(?:^|\()@([^\s),]+)/u.exec(who)?.[1];
    return username === undefined
      ? who.includes(`user with id ${tweet.author_id}`) && (user?.username ?? '') === ''
      : user?.username === username;
  }
  /** Whether a text has the quotations that a part of a sentence names. */
  says(text: string, part: string): boolean {
    const flatText = flat(text);
    return [...part.matchAll(/⟦(\d+)⟧/gu)].every(([, n]) => this.#hasQuote(flatText, this.#quotes[Number(n)]!));
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

const who = String.raw`(?<who>⟦\d+⟧ \([^)]*\)|@[\w.-]+(?: \([^)]*\))?|[Tt]he user with id \d+(?: \([^)]*\))?)`;
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
  // Of a long history only the newest 50 posts are compared, which this reader does not choose.
  if (counts.length > 50) return unless(numberIn(posts) === 50, 'not 50 posts');
  if (counts.length !== numberIn(posts)) return `${counts.length} posts`;
  if (middle !== numberIn(median)) return `the median is ${middle}`;
  return unless(counts.length >= 3 && levels[level]?.(numberIn(count), middle, counts) === true, 'another level');
};

const related = (reader: AnswerReader, what: string): ArchivedTweet[] =>
  reader
    .all()
    .filter(
      ({ id, text }) =>
        id !== reader.subject.id && id !== reader.counted.id && text.toLowerCase().includes(what.toLowerCase()),
    );
const atMost = (found: number, count: string): string | undefined => unless(numberIn(count) <= found, `only ${found}`);

/** The posts around the subject that an answer may have read: its conversation. */
const saidBy = (reader: AnswerReader, who: string, said: string): ArchivedTweet[] =>
  reader.all().filter((tweet) => reader.isBy(tweet, who) && reader.says(textsOf(tweet), said));
const isQuestion = ({ text }: ArchivedTweet): boolean => /[?？؟]/u.test(text);

/** The forms of sentences, each with its check. */
const forms: readonly (readonly [RegExp, Check])[] = [
  [
    form(String.raw`WHO wrote on (?<when>.+ UTC): QUOTE`),
    (reader, { who: name = '', when = '', quote: said = '' }) => {
      const { subject } = reader;
      const followers = /followers: ([\d,]+)/.exec(name)?.[1];
      const author = reader.author();
      return unless(
        reader.isBy(subject, name) &&
          isAt(subject, when) &&
          reader.says(subject.text, said) &&
          (followers === undefined || author?.followers_count === numberIn(followers)) &&
          (!name.includes('verified account') || author?.verified === true),
        'not so',
      );
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
  [
    form('The profile says: QUOTE'),
    (reader, { quote: said = '' }) => unless(reader.profileSays(reader.subject.author_id, said), 'it does not'),
  ],
  [form('Verified account[.]'), (reader) => unless(reader.author()?.verified === true, 'it is not')],
  [
    form('Followers: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) => unless(reader.followersOf(numberIn(count)), 'nobody has so many'),
  ],
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
    form('It quotes WHO: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => {
      const other = reader.tweet(reader.subject.quoted_tweet_id ?? reader.counted.quoted_tweet_id);
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
      const own = JSON.stringify(reader.counted);
      const domains = listItems(list).map((item) => /\(([^)]+)\)$/.exec(item)?.[1] ?? item);
      return unless(
        domains.every((domain) => own.includes(domain) && !/(?:twitter|x)\.com/.test(domain)),
        'no such link',
      );
    },
  ],
  [form('The archive has none in this post[.]'), fine],
  [
    form('Its hashtags: (?<list>.+)[.]'),
    (reader, { list = '' }) =>
      unless(
        listItems(list).every((tag) => reader.counted.text.includes(tag)),
        'no such tag',
      ),
  ],
  [
    form('It mentions (?<list>.+)[.]'),
    (reader, { list = '' }) =>
      unless(
        listItems(list).every((name) => reader.counted.text.includes(name)),
        'no such mention',
      ),
  ],
  [
    form('Pictures and videos attached: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) => unless((reader.counted.media ?? []).length === numberIn(count), 'another number'),
  ],
  [form('I cannot see them[.]'), fine],
  [
    form('Figures: (?<list>.+)[.]'),
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
    form('Direct replies that I read: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) =>
      unless(reader.replies().length === numberIn(count) || numberIn(count) >= 60, `${reader.replies().length}`),
  ],
  [
    form('I found no replies to it in the archive[.]'),
    (reader) => unless(reader.replies().length === 0, 'there are some'),
  ],
  [
    form('By the words that I know, of (?<total>[\\d,]+) replies that I could read: (?<list>.+)[.]'),
    (reader, { total = '', list = '' }) =>
      unless(
        numberIn(total) <= reader.said().length &&
          listItems(list).reduce((sum, item) => sum + numberIn(/: ([\d,]+)$/.exec(item)?.[1] ?? 'NaN'), 0) ===
            numberIn(total),
        `${reader.said().length} replies`,
      ),
  ],
  [
    form('I have no word list for the language of other replies: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) => unless(numberIn(count) <= reader.said().length, `${reader.said().length} replies`),
  ],
  [
    form(
      'Replies with such words: (?<scored>[\\d,]+) of (?<total>[\\d,]+); positive: (?<a>[\\d,]+), negative: (?<b>[\\d,]+)[.]',
    ),
    (reader, { scored = '', total = '', a = '', b = '' }) =>
      unless(
        numberIn(total) <= reader.said().length &&
          numberIn(scored) >= 5 &&
          numberIn(a) + numberIn(b) <= numberIn(scored),
        `${reader.said().length} replies`,
      ),
  ],
  [
    form('I cannot tell: only (?<scored>[\\d,]+) of (?<total>[\\d,]+) replies have words or emoji that I know[.]'),
    (reader, { scored = '', total = '' }) =>
      unless(
        numberIn(total) <= reader.said().length && numberIn(scored) <= numberIn(total),
        `${reader.said().length} replies`,
      ),
  ],
  [
    form('The archive has no other post of this kind by the author[.]'),
    (reader) => unless(reader.others().length === 0, 'it has'),
  ],
  [
    form('Later, on (?<when>.+ UTC), the author wrote: QUOTE'),
    (reader, { when = '', quote: said = '' }) =>
      unless(
        reader
          .all()
          .some(
            (tweet) =>
              tweet.author_id === reader.subject.author_id &&
              isAt(tweet, when) &&
              reader.says(tweet.text, said) &&
              Date.parse(tweet.created_at) > Date.parse(reader.subject.created_at),
          ),
        'not so',
      ),
  ],
  [
    form('I found no later post of the author on this[.]'),
    (reader) => unless(reader.continuation().length === 0, 'there is one'),
  ],
  [form('I am not sure that this answers it; it is the nearest that I found[.]'), () => undefined],
  [
    form('WHO asked: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) =>
      unless(saidBy(reader, name, said).some(isQuestion), 'nobody asked that'),
  ],
  [
    form('WHO answered: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) =>
      unless(
        saidBy(reader, name, said).some((tweet) => {
          const parent = reader.tweet(tweet.in_reply_to_id);
          return parent !== undefined && isQuestion(parent) && parent.author_id !== tweet.author_id;
        }),
        'it answers no question',
      ),
  ],
  [
    form('WHO (?:objects or corrects|agrees), by the wording: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => unless(reader.wrote(name, said), 'nobody wrote that'),
  ],
  [
    form('I found no answer of the author in this conversation[.]'),
    (reader) =>
      unless(
        !reader
          .replies()
          .some(
            (question) =>
              /[?？؟]\s*$/u.test(question.text) &&
              question.author_id !== reader.subject.author_id &&
              reader
                .all()
                .some(
                  (each) =>
                    each.in_reply_to_id === question.id &&
                    each.author_id === reader.subject.author_id &&
                    /\w/.test(each.text) &&
                    !isQuestion(each),
                ),
          ),
        'there is one',
      ),
  ],
  [
    form(
      'By the words that I know, I found neither a confirmation nor an objection in [\\d,]+ posts of this conversation[.]',
    ),
    fine,
  ],
  [
    form(
      'I found nothing that answers this in (?<count>[\\d,]+) posts of this conversation and (?<other>[\\d,]+) other posts of the archive[.]',
    ),
    (reader, { count = '', other = '' }) => atMost(reader.all().length, String(numberIn(count) + numberIn(other))),
  ],
  [
    form('Elsewhere in the archive, WHO wrote on (?<day>.+?): QUOTE'),
    (reader, { who: name = '', day = '', quote: said = '' }) =>
      unless(
        saidBy(reader, name, said).some((tweet) => isOn(tweet, day) && tweet.id !== reader.subject.id),
        'nobody wrote that',
      ),
  ],
  [form('Reposted by, as far as the archive knows: (?<list>.+)[.]'), fine],
  [form('The archive does not say who did that[.]'), fine],
  [form('I compare words, and the post is in another language [(].+[)][.]'), fine],
  // The posts that follow name their languages where the source does.
  [form('I compare words, and these posts are in another language:'), fine],
  [
    form('(?<count>[\\d,]+) people here have this name: (?<list>.+)[.]'),
    (reader, { count = '', list = '' }) =>
      unless(
        listItems(list).length === numberIn(count) &&
          listItems(list).every((name) => reader.all().some((tweet) => reader.isBy(tweet, name))),
        'they have not',
      ),
  ],
  [
    form('The profile of WHO says: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) =>
      unless(
        reader.all().some((tweet) => reader.isBy(tweet, name) && reader.profileSays(tweet.author_id, said)),
        'it does not',
      ),
  ],
  [
    form('Posts in the archive that quote it: (?<count>[\\d,]+)[.]'),
    (reader, { count = '' }) =>
      unless(reader.quotes().length === numberIn(count) || numberIn(count) >= 20, `${reader.quotes().length}`),
  ],
  [
    form('I found no post in the archive that quotes it[.]'),
    (reader) => unless(reader.quotes().length === 0, 'there is one'),
  ],
  [
    form('Posts with (?<what>.+): (?<count>[\\d,]+)[.]'),
    (reader, { what = '', count = '' }) =>
      unless(numberIn(count) <= reader.all().length - 1 && what !== '', 'too many'),
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
  [form('(?:I have listed no number [\\d,]+|There is nothing more in the archive on this)[.]'), fine],
  [form('(?:The archive has no post by @\\S+)[.]'), fine],
  [
    form(
      '(?:I cannot judge whether this is true: I only read the archive|I cannot do that: I do not translate, predict, judge or act, I only read the archive)[.]',
    ),
    fine,
  ],
  [form('A language model can try; the operator of this service connects one with ASSISTANT=openai[.]'), fine],
  [form('(?:I am the local assistant of this service|I answer from the archive only: .+)[.]'), fine],
  [form('I did not check whether it is genuine[.]'), fine],
  [
    form('The post names a token: (?<list>.+)[.]'),
    (reader, { list = '' }) =>
      unless(
        listItems(list).every((each) => JSON.stringify(reader.all()).toLowerCase().includes(each.toLowerCase())),
        'it does not',
      ),
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
    form('WHO: QUOTE'),
    (reader, { who: name = '', quote: said = '' }) => unless(reader.wrote(name, said), 'nobody wrote that'),
  ],
  [
    form('QUOTE'),
    (reader, { quote: said = '' }) => unless(reader.says(textsOf(reader.counted), said), 'the post does not say that'),
  ],
];
