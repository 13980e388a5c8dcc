/**
 * Follows a platform in memory into the archive of a folder, until everything is durable; then prints `done`. What the platform
 * publishes is the same in each process, so that a process that is killed is continued by the next one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FollowMetrics } from '../../server/follow/follow-metrics.ts';
import { Follower } from '../../server/follow/follower.ts';
import { systemClock } from '../../server/follow/clock.ts';
import { ReferencePlatform, ReferenceSource } from '../ports/reference/live-source.ts';
import { openArchiveIn } from '../support/stored-archive.ts';
import { accounts, targets } from './accounts.ts';

const [folder = '', events = '0', batch = '10'] = process.argv.slice(2);
let now = Date.now() - 60_000;
const platform = new ReferencePlatform(() => (now += 1));
for (const account of accounts) platform.addAccount(account);
const posts: string[] = [];
for (let n = 0; platform.log.length < Number(events); n++) {
  const removed = n % 7 === 6 ? posts[(n * 5) % posts.length] : undefined;
  if (removed !== undefined && !platform.post(removed).isRemoved) platform.remove(removed);
  else posts.push(platform.publish(accounts[n % accounts.length] ?? '', `post ${n}`));
}
// A connection without a position begins at the end: the process that is the first one has seen no event yet.
platform.batchSize = Number(batch);
platform.disturbances.repeat = 3;
// Longer than a step waits: each batch is a durable step of its own.
platform.pause = () => sleep(25);

const { sink, held, content, close } = await openArchiveIn(folder);
if (content.position('bluesky') === undefined) await sink.follow('bluesky', { position: '0', at: Date.now() }, []);
const follower = new Follower({
  source: 'bluesky',
  title: 'Bluesky',
  open: async (observer) => new ReferenceSource(platform, held, observer),
  sink,
  held,
  known: { last: () => undefined, store: async () => {} },
  userIdsOf: (ids) => held.userIdsOf(ids),
  allTweets: () => held.tweets(),
  clock: systemClock,
  metrics: new FollowMetrics().of('bluesky'),
  backfill: 0,
  redact: (text) => text,
  reporter: { following() {}, away() {}, failed() {}, complianceFailed() {}, invalid() {}, archiveFailed() {} },
});
follower.setTargets(targets);
follower.start();
while (content.position('bluesky') !== events) await sleep(2);
await follower.stop();
await close();
process.stdout.write('done\n');
