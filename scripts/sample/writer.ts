/** Composes the posts of the sample: texts of the topics, with media, cards and places. */
import type { ArchivedTweet } from '../../server/domain/records.ts';
import { expand, type Words } from './pattern.ts';
import { people, type Person } from './people.ts';
import { Deck, type Random } from './random.ts';
import { drawPeople, userIdOf } from './society.ts';
import { topicNamed, type Link, type Topic } from './topics.ts';

type Media = NonNullable<ArchivedTweet['media']>[number];

/** A tweet with its author and topic. */
export interface Post {
  tweet: ArchivedTweet;
  author: Person;
  topic: string;
}

const sources = ['Web App', 'Web App', 'Phone App', 'Phone App', 'Phone App', 'Tablet App', 'Scheduler', 'deckhand'];
const remarks = [
  '[This|So much this|Exactly this] 👇',
  'Worth [a minute|ten minutes|a second look] of your day.',
  'I keep coming back to this one.',
  '[Adding|One thing to add]: it also works [in winter|with less money|for beginners].',
  '[Politely|Happily] disagree with the [second|first] half. The rest: yes.',
  'Printed this and put it [on the fridge|over the desk|in the shed].',
  'If you only read one post today, [this|let it be this one].',
  '[Somebody|My brother|Half my timeline] needs to see this.',
  'We talked about this at {dinner} and nobody [agreed|left early].',
  'A year ago I would have [laughed|argued]. Now I [nod|take notes].',
].map((remark) => `${remark} [|#{tag}|cc {who}|Day {2-30} of saying so.|Thank you for this.]`);

const answers = [
  '[Good|Fair|Excellent] question. [Short|Honest] answer: [no idea|it depends|both|only on Tuesdays].',
  'Thank you! [It took three tries.|I had help from {who}.|Made my day.]',
  'Ha, [yes|guilty|you know me]. [Next time I will write it down.|Do not tell {who}.]',
  'About {2-9} [weeks|evenings|attempts], [with breaks|if you count the swearing|I stopped counting].',
  'I will try that [tonight|on the weekend|when it stops raining] and report back.',
  'Not yet! It is on the list, [right after sleep|number {2-12}|in pencil].',
  '{who} showed me how. [Ask there, much better teacher.|I only copied.]',
  'Yes, and [I would do it again|never again|the photo is flattering].',
  '[Sending you|Writing up] the details later, remind me if I forget 🙂',
  'Hm, I had not thought of that. [You may be right.|Let me sleep on it.|Tell me more?]',
];

const asides = [
  '[Greetings|Hello] from {place}.',
  '[By the way|Also], {who} [asked|said] the same.',
  'Day {3-60} of thinking about this.',
  'Thanks for posting.',
  '(Asking for {who}.)',
  'Anyway: [good morning|good night|nice work].',
];

/** Composes posts. Texts do not repeat while the patterns permit others. */
export class Writer {
  readonly #random: Random;
  readonly #nextId: (milliseconds: number) => string;
  readonly #texts = new Set<string>();
  readonly #patterns = new Map<readonly string[], Deck<string>>();
  readonly #threads = new Map<string, Deck<readonly string[]>>();
  readonly #links = new Map<readonly Link[], Deck<Link>>();

  constructor(random: Random, nextId: (milliseconds: number) => string) {
    this.#random = random;
    this.#nextId = nextId;
  }

  /** A tweet with the given text. */
  write(author: Person, topic: string, at: number, text: string): Post {
    const tweet: ArchivedTweet = {
      id: this.#nextId(at),
      text,
      created_at: new Date(at).toISOString(),
      author_id: userIdOf(author.username),
      lang: topicNamed(topic).lang,
      source: this.#random.pick(sources),
    };
    return { tweet, author, topic };
  }

  /** A post of the person about the topic. */
  post(author: Person, topic: string, at: number): Post {
    const post = this.#composed(author, topic, at, topicNamed(topic).posts);
    if (this.#random.chance(topicNamed(topic).visual)) post.tweet.media = this.#media(post.tweet.id, author, topic);
    if (this.#random.chance(0.06)) post.tweet.place = author.location;
    if (this.#random.chance(0.008)) post.tweet.possibly_sensitive = true;
    return post;
  }

  /** A thread of the author: each post replies to the one before. Empty when the topic has no threads. */
  thread(author: Person, topic: string, at: number): Post[] {
    const { threads } = topicNamed(topic);
    if (threads === undefined) return [];
    const posts: Post[] = [];
    let time = at;
    for (const pattern of dealFrom(this.#threads, topic, this.#random, threads)) {
      const post = this.#composed(author, topic, time, [pattern]);
      const parent = posts.at(-1);
      posts.push(parent === undefined ? post : asReply(post, parent));
      time += this.#random.integer(30_000, 90_000);
    }
    return posts;
  }

  /** A reply of a reader. */
  reply(author: Person, parent: Post, at: number): Post {
    const topic = topicNamed(parent.topic);
    const aside =
      topic.lang === 'en' && this.#random.chance(0.3)
        ? expand(this.#random, this.#pattern(asides), this.#words(author, topic, undefined))
        : '';
    return this.#replyTo(author, parent, at, topic.replies, aside);
  }

  /** The answer of an author to a reply. */
  answer(author: Person, parent: Post, at: number): Post {
    const topic = topicNamed(parent.topic);
    return this.#replyTo(author, parent, at, topic.lang === 'en' ? answers : topic.replies);
  }

  quote(author: Person, quoted: Post, at: number): Post {
    const post = this.#composed(author, quoted.topic, at, remarks);
    post.tweet.quoted_tweet_id = quoted.tweet.id;
    post.tweet.lang = 'en';
    return post;
  }

  retweet(author: Person, original: Post, at: number): Post {
    const post = this.write(author, original.topic, at, `RT @${original.author.username}: ${original.tweet.text}`);
    post.tweet.retweeted_tweet_id = original.tweet.id;
    return post;
  }

  #pattern(patterns: readonly string[]): string {
    return dealFrom(this.#patterns, patterns, this.#random, patterns);
  }

  /** The words of a pattern's names, for one person and one post. */
  #words(author: Person, topic: Topic, link: Link | undefined): Words {
    const random = this.#random;
    return {
      dinner: ['dinner', 'the bakery', 'the club'],
      place: [author.location],
      ...topic.words,
      tag: topic.tags,
      link: link === undefined ? [] : [link.url],
      // A getter, because the drawing is slow and few patterns need it.
      get who() {
        const others = people.filter((person) => person !== author);
        return drawPeople(random, others, 1, author).map(({ username }) => `@${username}`);
      },
    };
  }

  /** A text that is new if the patterns permit it, and the link in it. */
  #compose(
    author: Person,
    topic: Topic,
    patterns: readonly string[],
    prefix: string,
  ): { text: string; link: Link | undefined } {
    for (let attempt = 0; ; attempt++) {
      const { links } = topic;
      const link = links === undefined ? undefined : dealFrom(this.#links, links, this.#random, links);
      const expanded = expand(this.#random, this.#pattern(patterns), this.#words(author, topic, link));
      const text = prefix + (prefix === '' ? capitalised(expanded) : expanded);
      if (this.#texts.has(text) && attempt < 40) continue;
      this.#texts.add(text);
      return { text, link: link !== undefined && text.includes(link.url) ? link : undefined };
    }
  }

  #composed(author: Person, name: string, at: number, patterns: readonly string[], prefix = ''): Post {
    const { text, link } = this.#compose(author, topicNamed(name), patterns, prefix);
    const post = this.write(author, name, at, text);
    if (link !== undefined) {
      post.tweet.card = {
        ...link,
        image: `https://images.example/card-${new URL(link.url).pathname.slice(1)}.png`,
        domain: new URL(link.url).host,
      };
    }
    return post;
  }

  #replyTo(author: Person, parent: Post, at: number, patterns: readonly string[], aside = ''): Post {
    const post = this.#composed(author, parent.topic, at, patterns, `@${parent.author.username} `);
    if (aside !== '') post.tweet.text += /[\p{L}\p{N})]$/u.test(post.tweet.text) ? `. ${aside}` : ` ${aside}`;
    return asReply(post, parent);
  }

  #media(id: string, author: Person, topic: string): Media[] {
    const page = `https://social.example/${author.username}/status/${id}`;
    const name = `${topic}-${this.#random.integer(1, 400)}`;
    const kind = this.#random.next();
    if (kind < 0.75) {
      const count = this.#random.chance(0.7) ? 1 : this.#random.integer(2, 4);
      return Array.from({ length: count }, (_, index) => ({
        type: 'photo' as const,
        url: `https://images.example/${name}${'abcd'[index]}.jpg`,
        expanded_url: `${page}/photo/${index + 1}`,
      }));
    }
    return [
      {
        type: kind < 0.92 ? 'video' : 'animated_gif',
        url: `https://images.example/${name}-still.jpg`,
        expanded_url: `${page}/video/1`,
        video_url: `https://video.example/${name}.mp4`,
      },
    ];
  }
}

/** Deals an item from the deck of a key; creates the deck at the first use. */
function dealFrom<Key, Item>(decks: Map<Key, Deck<Item>>, key: Key, random: Random, items: readonly Item[]): Item {
  const deck = decks.get(key) ?? new Deck(random, items);
  decks.set(key, deck);
  return deck.deal();
}

function asReply(post: Post, parent: Post): Post {
  post.tweet.in_reply_to_id = parent.tweet.id;
  post.tweet.in_reply_to_username = parent.author.username;
  post.tweet.conversation_id = parent.tweet.conversation_id ?? parent.tweet.id;
  return post;
}

/** The text with a capital at the start of each sentence. URLs do not change. */
const capitalised = (text: string): string =>
  text.replace(/(^|[.!?] )(?!https?:)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
