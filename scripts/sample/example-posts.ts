/** The posts of the examples in spec/openapi.yaml. */
import type { ArchivedTweet } from '../../server/domain/records.ts';
import { buildReplies, buildTweet, exampleTweets, harbourTweet } from './example.ts';
import { personNamed } from './people.ts';
import { userIdOf } from './society.ts';
import type { Post, Writer } from './writer.ts';

const minute = 60_000;
/** The language of the replies that are not in English, by username. */
const replyLanguages: Readonly<Record<string, string>> = { gus_shell: 'pt', yuki_logs: 'ja' };

/** The quote of the first tweet. It is none of the network's posts, so that it takes no random value from them. */
export const exampleQuote = (): ArchivedTweet => ({
  id: '1890000000000000005',
  text: 'Worth a read before you touch your own build:',
  created_at: '2026-03-04T06:02:00.000Z',
  author_id: userIdOf('tom_sails'),
  quoted_tweet_id: buildTweet,
  lang: 'en',
  source: 'Web App',
  ...{ retweet_count: 0, reply_count: 0, like_count: 4, quote_count: 0, bookmark_count: 0, view_count: 230 },
});

/** The tweets of the examples and the replies to the first one. */
export function examplePosts(writer: Writer): Post[] {
  const posts = exampleTweets.map(({ id, author, text, at, replyTo }) => {
    const post = writer.write(personNamed(author), 'code', Date.parse(at), text);
    const parent =
      replyTo === undefined
        ? {}
        : { in_reply_to_id: replyTo, in_reply_to_username: 'mira_codes', conversation_id: replyTo };
    Object.assign(post.tweet, { id }, parent);
    return post;
  });
  const [build, harbour, question] = posts;
  if (build === undefined || harbour === undefined || question === undefined) throw new Error('an example is missing');
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
      alt_text: 'A harbour in the morning',
    },
  ];
  return [...posts, ...exampleReplies(writer, build, question)];
}

function exampleReplies(writer: Writer, build: Post, question: Post): Post[] {
  const replies: Post[] = [];
  for (const [username, minutes, text, to] of buildReplies) {
    const parent = (to === undefined ? build : to < 0 ? question : replies[to]) ?? build;
    const at = Date.parse(build.tweet.created_at) + minutes * minute;
    const { tweet, ...post } = writer.write(personNamed(username), 'code', at, text);
    Object.assign(tweet, {
      in_reply_to_id: parent.tweet.id,
      in_reply_to_username: parent.author.username,
      conversation_id: buildTweet,
      lang: replyLanguages[username] ?? tweet.lang,
    });
    replies.push({ ...post, tweet });
  }
  return replies;
}
