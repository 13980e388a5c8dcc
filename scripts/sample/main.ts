/**
 * Makes the bundled sample archive: a few months of an invented little network, in the native JSON Lines format. Everything is drawn
 * from one seed and ends at a fixed time, so two runs give the same bytes. The words are in sample/.
 */
import { entitiesOf } from '../../server/import/formats/text.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { articles } from './articles.ts';
import { communities } from './communities.ts';
import { setCounts } from './counts.ts';
import { buildReplies, buildTweet, exampleTweets, harbourTweet } from './example.ts';
import { people, type Person } from './people.ts';
import { createRandom } from './random.ts';
import { createSnowflakes } from './snowflake.ts';
import { communityId, communityRecords, drawPeople, follows, profiles, userIds } from './society.ts';
import { spaces } from './spaces.ts';
import { topics, type TopicName } from './topics/index.ts';
import { createWriter, type Post } from './writer.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** When the sample begins (but for the examples of the contract, which are older) and ends. */
export const from = Date.parse('2026-06-15T00:00:00Z');
export const until = Date.parse('2026-11-15T12:00:00Z');

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const personNamed = new Map(people.map((person) => [person.username, person]));

/** All records of the sample. */
export function sampleRecords(): ArchiveRecord[] {
  const random = createRandom(20261115);
  const nextId = createSnowflakes(random);
  const writer = createWriter(random, nextId);
  const society = communityRecords(random, from, until);
  const isMember = new Set(
    society.flatMap((record) => (record.kind === 'membership' ? [`${record.community_id} ${record.user_id}`] : [])),
  );

  // Hours of the day by how much is written in them: mornings and evenings.
  const busy = [
    0, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 12, 13, 14, 15, 16, 17, 17, 18, 18, 19, 19, 20, 20, 20, 21, 21, 22, 23,
  ];
  const days = Math.floor((until - from) / day);
  const moment = (): number =>
    from + random.integer(0, days - 1) * day + random.pick(busy) * hour + random.integer(0, hour - 1);
  const readersOf = (topic: TopicName, except: Person): Person[] =>
    people.filter((person) => person !== except && (topics[topic].lang === 'en' || person.topics.includes(topic)));
  const after = (at: number): number =>
    at + Math.floor(minute * Math.min(2 * 24 * 60, random.pareto(0.8) * random.integer(2, 20)));

  const posts = examples();
  for (const author of people) {
    const count = random.integer(9, 17) + author.fame * 2;
    for (let n = 0; n < count; n++) {
      const topic = author.topics[Math.min(random.integer(0, author.topics.length - 1), random.integer(0, 3))]!;
      const post = writer.post(author, topic, moment());
      const place = communities.findIndex((community) => community.topic === topic);
      if (place >= 0 && random.chance(0.35) && isMember.has(`${communityId(place)} ${userIds.get(author.username)!}`)) {
        post.tweet.community_id = communityId(place);
      }
      posts.push(post);
    }
    if (random.chance(0.55)) posts.push(...writer.thread(author, author.topics[0]!, moment()));
  }
  posts.push(...longForm());
  const roots = posts.filter(({ tweet }) => tweet.in_reply_to_id === undefined && Date.parse(tweet.created_at) > from);
  for (const root of roots) converse(root);
  for (const quoted of random.draw(roots, 150)) {
    const [author] = drawPeople(random, readersOf(quoted.topic, quoted.author), 1, quoted.author);
    const at = after(Date.parse(quoted.tweet.created_at) + 20 * minute);
    if (author !== undefined && at < until) posts.push(writer.quote(author, quoted, at));
  }
  const retweets = spread();
  const likes = random
    .draw(roots, 58)
    .map(({ tweet }): ArchiveRecord => likeOf(tweet.id, after(Date.parse(tweet.created_at))));
  likes.push(
    likeOf(buildTweet, Date.parse('2026-03-04T06:00:00Z')),
    likeOf(harbourTweet, Date.parse('2026-03-04T06:01:00Z')),
  );
  setCounts(random, posts, [...retweets, ...likes]);

  const graph = follows(random, from - 500 * day, until);
  const tweets = posts
    .map(({ tweet }) => tweet)
    .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  return [
    ...profiles(random, tweets, graph).map((user): ArchiveRecord => ({ kind: 'user', user })),
    ...society,
    // With their entities, so that the first start of a demo need not extract them from each text.
    ...tweets.map((tweet): ArchiveRecord => ({ kind: 'tweet', tweet: { ...tweet, entities: entitiesOf(tweet.text) } })),
    ...graph,
    ...retweets,
    ...highlights(),
    ...likes,
    ...rooms(),
  ];

  /** The tweets of the contract's examples and what was said and shared about them. */
  function examples(): Post[] {
    const made: Post[] = exampleTweets.map(({ id, author, text, at, replyTo }) => {
      const post = writer.write(personNamed.get(author)!, 'code', Date.parse(at), text);
      Object.assign(
        post.tweet,
        { id },
        replyTo === undefined
          ? {}
          : { in_reply_to_id: replyTo, in_reply_to_username: 'mira_codes', conversation_id: replyTo },
      );
      return post;
    });
    const [build, harbour, question] = made as [Post, Post, Post];
    build.tweet.card = {
      url: 'https://example.org/node-24',
      title: 'What is new in Node 24',
      description: 'The changes in short.',
      image: 'https://images.example/node.png',
      domain: 'example.org',
    };
    harbour.tweet.media = [
      {
        type: 'photo',
        url: 'https://images.example/harbour.jpg',
        expanded_url: `https://social.example/mira_codes/status/${harbourTweet}/photo/1`,
      },
    ];
    const replies: Post[] = [];
    for (const [author, minutes, text, to] of buildReplies) {
      const parent = to === undefined ? build : to < 0 ? question : replies[to]!;
      const post = writer.write(
        personNamed.get(author)!,
        'code',
        Date.parse(build.tweet.created_at) + minutes * minute,
        text,
      );
      if (author === 'gus_shell' || author === 'yuki_logs') post.tweet.lang = author === 'gus_shell' ? 'pt' : 'ja';
      Object.assign(post.tweet, {
        in_reply_to_id: parent.tweet.id,
        in_reply_to_username: parent.author.username,
        conversation_id: buildTweet,
      });
      replies.push(post);
    }
    return [...made, ...replies];
  }

  function longForm(): Post[] {
    return articles.map(([username, title, ...paragraphs]) => {
      const author = personNamed.get(username)!;
      const post = writer.write(author, author.topics[0]!, moment(), `New article: ${title}`);
      post.tweet.article = { title, text: paragraphs.join('\n\n') };
      return post;
    });
  }

  /** Adds replies to the post, and to the replies, fewer the deeper. */
  function converse(post: Post, parent?: Post, depth = 0): void {
    const liveliness = depth === 0 ? 0.05 + post.author.fame * 0.09 : 0.35 - depth * 0.06;
    const count = Math.min(depth === 0 ? 9 : 2, Math.floor(random.pareto(2.2) - 1 + liveliness));
    for (const reader of drawPeople(random, readersOf(post.topic, post.author), count, post.author)) {
      // Below the first level it is mostly the one who was answered that answers.
      const answers = parent !== undefined && parent.author !== post.author && random.chance(0.7);
      const at = after(Date.parse(post.tweet.created_at));
      if (at >= until) continue;
      const reply = answers ? writer.answer(parent.author, post, at) : writer.reply(reader, post, at);
      posts.push(reply);
      if (depth < 6) converse(reply, post, depth + 1);
    }
  }

  /** Retweets: some as tweets of their own, which is how a timeline shows them, the others as records of who retweeted. */
  function spread(): Extract<ArchiveRecord, { kind: 'retweet' }>[] {
    const build = posts.find(({ tweet }) => tweet.id === buildTweet)!;
    const shared = [build, ...random.draw(roots, 420)];
    return shared.flatMap((original) => {
      const count =
        original === build ? 27 : Math.min(24, Math.floor(random.pareto(1.1) * (1 + original.author.fame / 4)));
      return drawPeople(random, readersOf(original.topic, original.author), count, original.author).flatMap(
        (author) => {
          const at = after(Date.parse(original.tweet.created_at));
          if (at >= until) return [];
          if (original !== build && random.chance(0.22)) {
            posts.push(writer.retweet(author, original, at));
            return [];
          }
          return [
            {
              kind: 'retweet' as const,
              tweet_id: original.tweet.id,
              user_id: userIds.get(author.username)!,
              created_at: iso(at),
            },
          ];
        },
      );
    });
  }

  function likeOf(tweet_id: string, at: number): ArchiveRecord {
    return { kind: 'like', tweet_id, created_at: iso(Math.min(at, until)) };
  }

  /** Each person's best posts; Mira's include those of the examples. */
  function highlights(): ArchiveRecord[] {
    return people.flatMap((person) => {
      const own = roots
        .filter(({ author }) => author === person)
        .sort((a, b) => b.tweet.like_count! - a.tweet.like_count!);
      const chosen = own
        .slice(0, person.fame < 2 ? random.integer(0, 2) : random.integer(3, 8))
        .map(({ tweet }) => tweet);
      const extra =
        person.username === 'mira_codes'
          ? posts.filter(({ tweet }) => [buildTweet, harbourTweet].includes(tweet.id)).map(({ tweet }) => tweet)
          : [];
      return [...extra, ...chosen].map((tweet): ArchiveRecord => ({
        kind: 'highlight',
        user_id: tweet.author_id,
        tweet_id: tweet.id,
        created_at: iso(Math.min(Date.parse(tweet.created_at) + random.integer(hour, 5 * day), until)),
      }));
    });
  }

  function rooms(): ArchiveRecord[] {
    const example: ArchiveRecord = {
      kind: 'space',
      space: {
        id: '1vSampleSpace1',
        title: 'Office hours: small archives',
        state: 'ended',
        host_id: userIds.get('mira_codes')!,
        speaker_ids: ['tom_sails', 'ada_patch', 'priya_builds'].map((username) => userIds.get(username)!),
        participant_count: 87,
        subscriber_count: 40,
        lang: 'en',
        is_ticketed: false,
        created_at: '2026-02-01T10:00:00.000Z',
        scheduled_start: '2026-02-03T18:00:00.000Z',
        started_at: '2026-02-03T18:01:12.000Z',
        ended_at: '2026-02-03T19:04:55.000Z',
      },
    };
    const others = spaces.map(([title, state, username, hoursBefore, lang, ticketed], place): ArchiveRecord => {
      const host = personNamed.get(username)!;
      const start = until - hoursBefore * hour;
      const started = state === 'scheduled' ? null : start + random.integer(5, 240) * 1000;
      const speakers = state === 'scheduled' ? 1 : random.integer(2, 5);
      return {
        kind: 'space',
        space: {
          id: `1vSampleSpace${place + 2}`,
          title,
          state,
          host_id: userIds.get(username)!,
          speaker_ids: drawPeople(random, readersOf(host.topics[0]!, host), speakers, host).map((speaker) =>
            userIds.get(speaker.username)!,
          ),
          participant_count: state === 'scheduled' ? 0 : Math.floor(random.pareto(1) * 25),
          subscriber_count: Math.floor(random.pareto(1.2) * 15),
          lang,
          is_ticketed: ticketed ?? false,
          created_at: iso(Math.min(start, until) - random.integer(6, 90) * hour),
          scheduled_start: iso(start),
          started_at: started === null ? null : iso(started),
          ended_at: state === 'ended' && started !== null ? iso(started + random.integer(28, 130) * minute) : null,
        },
      };
    });
    return [example, ...others];
  }
}
