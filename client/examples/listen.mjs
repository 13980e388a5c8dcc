// Prints new tweets that match a query. It stores the cursor in a file, so a restart resumes after the last event.
//
//   SOCIAL_DATA_BASE_URL=http://127.0.0.1:3000 SOCIAL_DATA_API_KEY=sd_… node listen.mjs 'coffee lang:en' cursor.txt
import { readFile, writeFile } from 'node:fs/promises';
import { createClient } from '@social-data/client';

// Reads SOCIAL_DATA_BASE_URL and SOCIAL_DATA_API_KEY.
const client = createClient();
const [search = 'coffee', file = 'cursor.txt'] = process.argv.slice(2);

const events = client.events(
  { search },
  {
    cursor: await readFile(file, 'utf8').catch(() => undefined),
    onReconnect: ({ closeCode, delayMs }) =>
      console.error(`connection lost (${closeCode}), reconnecting in ${Math.round(delayMs)} ms`),
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => events.close());

for await (const { event, data, cursor } of events) {
  if (event === 'tweet.created') console.log(`@${data.author.username}: ${data.text}`);
  await writeFile(file, cursor);
}
