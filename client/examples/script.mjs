// Prints the latest tweets of a user, and the assistant's explanation of the newest one.
//
//   SOCIAL_DATA_BASE_URL=http://127.0.0.1:3000 SOCIAL_DATA_API_KEY=sd_… node script.mjs mira_codes
import { createClient, NotFoundError } from '@social-data/client';

// Reads SOCIAL_DATA_BASE_URL and SOCIAL_DATA_API_KEY.
const client = createClient();
const username = process.argv[2] ?? 'mira_codes';

try {
  const tweets = await client.user.lastTweets({ username }, { limit: 5 }).toArray();
  for (const { created_at, text, like_count } of tweets)
    console.log(`${created_at.slice(0, 10)}  ${like_count} likes  ${text}`);
  const [newest] = tweets;
  if (newest) {
    const chat = await client.assistant.explain(newest.id);
    console.log(`\n${chat.answer.summary}`);
    console.log(`\n${(await chat.ask('Say it in one sentence.')).summary}`);
  }
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
