/** Writes the posts of the sample: texts from the topics, with the pictures, cards and places that go with them. */
import type { ArchivedTweet } from '../../server/domain/records.ts';
import { expand } from './pattern.ts';
import { people, type Person } from './people.ts';
import { createDeck, type Random } from './random.ts';
import { drawPeople, userIds } from './society.ts';
import { topics, type TopicName } from './topics/index.ts';
import type { Link, Topic } from './topics/topic.ts';

type Media = NonNullable<ArchivedTweet['media']>[number];

/** A tweet being made: who wrote it about what. */
export interface Post {
  tweet: ArchivedTweet;
  author: Person;
  topic: TopicName;
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

export interface Writer {
  /** A post of the person about the topic. */
  post(author: Person, topic: TopicName, at: number): Post;
  /** The author's posts one after the other, each a reply to the one before; empty where the topic has no thread. */
  thread(author: Person, topic: TopicName, at: number): Post[];
  /** What a reader says to a post. */
  reply(author: Person, parent: Post, at: number): Post;
  /** What the one who was replied to says back. */
  answer(author: Person, parent: Post, at: number): Post;
  quote(author: Person, quoted: Post, at: number): Post;
  /** The tweet by which the person repeats another. */
  retweet(author: Person, original: Post, at: number): Post;
  /** A tweet with the given text. */
  write(author: Person, topic: TopicName, at: number, text: string): Post;
}

export function createWriter(random: Random, nextId: (milliseconds: number) => string): Writer {
  const texts = new Set<string>();
  const decks = new Map<readonly unknown[], () => unknown>();
  const deal = <T>(items: readonly T[]): T => {
    if (!decks.has(items)) decks.set(items, createDeck(random, items));
    return decks.get(items)!() as T;
  };

  /** What the slots of a pattern mean, for one person in one post. */
  function wordsFor(author: Person, topic: Topic, link: Link | undefined): Record<string, readonly string[]> {
    return {
      dinner: ['dinner', 'the bakery', 'the club'],
      place: [author.location],
      ...topic.words,
      tag: topic.tags,
      link: link === undefined ? [] : [link.url],
      // Drawn only when a text asks for it: this is the slow part.
      get who() {
        const others = people.filter((person) => person !== author);
        return drawPeople(random, others, 1, author).map(({ username }) => `@${username}`);
      },
    };
  }

  /** A text that nobody wrote before, where the patterns allow it, and the link in it. */
  function compose(
    author: Person,
    topic: Topic,
    patterns: readonly string[],
    prefix = '',
  ): { text: string; link: Link | undefined } {
    for (let attempt = 0; ; attempt++) {
      const link = topic.links === undefined ? undefined : deal(topic.links);
      const plain = expand(random, deal(patterns), wordsFor(author, topic, link));
      const text = prefix + (prefix === '' ? capitalised(plain) : plain);
      if (texts.has(text) && attempt < 40) continue;
      texts.add(text);
      return { text, link: link !== undefined && text.includes(link.url) ? link : undefined };
    }
  }

  function media(id: string, author: Person, topic: TopicName): Media[] {
    const page = `https://social.example/${author.username}/status/${id}`;
    const name = `${topic}-${random.integer(1, 400)}`;
    const kind = random.next();
    if (kind < 0.75) {
      const count = random.chance(0.7) ? 1 : random.integer(2, 4);
      return Array.from({ length: count }, (_, place) => ({
        type: 'photo' as const,
        url: `https://images.example/${name}${'abcd'[place]}.jpg`,
        expanded_url: `${page}/photo/${place + 1}`,
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

  function write(author: Person, topic: TopicName, at: number, text: string): Post {
    const tweet: ArchivedTweet = {
      id: nextId(at),
      text,
      created_at: new Date(at).toISOString(),
      author_id: userIds.get(author.username)!,
      lang: topics[topic].lang,
      source: random.pick(sources),
    };
    return { tweet, author, topic };
  }

  function composed(author: Person, name: TopicName, at: number, patterns: readonly string[], prefix = ''): Post {
    const { text, link } = compose(author, topics[name], patterns, prefix);
    const post = write(author, name, at, text);
    if (link !== undefined) {
      post.tweet.card = {
        ...link,
        image: `https://images.example/card-${new URL(link.url).pathname.slice(1)}.png`,
        domain: new URL(link.url).host,
      };
    }
    return post;
  }

  function answering(post: Post, parent: Post): Post {
    post.tweet.in_reply_to_id = parent.tweet.id;
    post.tweet.in_reply_to_username = parent.author.username;
    post.tweet.conversation_id = parent.tweet.conversation_id ?? parent.tweet.id;
    return post;
  }

  function addressed(author: Person, parent: Post, at: number, patterns: readonly string[], aside = ''): Post {
    const post = composed(author, parent.topic, at, patterns, `@${parent.author.username} `);
    if (aside !== '') post.tweet.text += /[\p{L}\p{N})]$/u.test(post.tweet.text) ? `. ${aside}` : ` ${aside}`;
    return answering(post, parent);
  }

  return {
    write,
    post(author, topic, at) {
      const post = composed(author, topic, at, topics[topic].posts);
      if (random.chance(topics[topic].visual)) post.tweet.media = media(post.tweet.id, author, topic);
      if (random.chance(0.06)) post.tweet.place = author.location;
      if (random.chance(0.008)) post.tweet.possibly_sensitive = true;
      return post;
    },
    thread(author, topic, at) {
      const { threads } = topics[topic];
      if (threads === undefined) return [];
      const posts: Post[] = [];
      let time = at;
      for (const pattern of deal(threads)) {
        const post = composed(author, topic, time, [pattern]);
        const before = posts.at(-1);
        posts.push(before === undefined ? post : answering(post, before));
        time += random.integer(30_000, 90_000);
      }
      return posts;
    },
    reply(author, parent, at) {
      const topic = topics[parent.topic];
      const aside =
        topic.lang === 'en' && random.chance(0.3)
          ? `${expand(random, deal(asides), wordsFor(author, topic, undefined))}`
          : '';
      return addressed(author, parent, at, topic.replies, aside);
    },
    answer(author, parent, at) {
      const topic = topics[parent.topic];
      return addressed(author, parent, at, topic.lang === 'en' ? answers : topic.replies);
    },
    quote(author, quoted, at) {
      const post = composed(author, quoted.topic, at, remarks);
      post.tweet.quoted_tweet_id = quoted.tweet.id;
      post.tweet.lang = 'en';
      return post;
    },
    retweet(author, original, at) {
      const post = write(author, original.topic, at, `RT @${original.author.username}: ${original.tweet.text}`);
      post.tweet.retweeted_tweet_id = original.tweet.id;
      return post;
    },
  };
}

/** Sentences begin with a capital; a word that stands there may come from the middle of one. Addresses keep their case. */
const capitalised = (text: string): string =>
  text.replace(/(^|[.!?] )(?!https?:)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
