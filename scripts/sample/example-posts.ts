/** The posts of the examples in spec/openapi.yaml. */
import { buildReplies, buildTweet, exampleTweets, harbourTweet } from './example.ts';
import { personNamed } from './people.ts';
import type { Post, Writer } from './writer.ts';

const minute = 60_000;
/** The language of the replies that are not in English, by username. */
const replyLanguages: Readonly<Record<string, string>> = { gus_shell: 'pt', yuki_logs: 'ja' };

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
