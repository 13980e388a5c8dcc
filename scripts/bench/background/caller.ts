/**
 * Another caller of the server, in a process of a low CPU priority: where processors are few, it must not delay the process that measures.
 * Arguments: `search PORT SECONDS`, or `delete DATA_DIR FROM TO`.
 */
import { Agent } from 'node:http';
import { connectControl } from '../../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { controlSink } from '../../../server/import/control-sink.ts';
import { lowerProcessPriority } from '../../../server/process/thread-priority.ts';
import { idOf, wordOf } from '../tweets.ts';
import { send } from './requests.ts';

/** One search after the other for ten of the most frequent words, by engagement. */
async function searchTop(port: number, seconds: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  for (let first = 1; performance.now() < end; first = 1 + (first % 50)) {
    const words = Array.from({ length: 10 }, (_, index) => wordOf(first + index));
    await send(agent, port, `/social/tweet/advanced_search?query_type=Top&query=${words.join('%20OR%20')}&limit=100`);
  }
  agent.destroy();
}

/** Deletes every tenth tweet from one number to another as an import does, a thousand at a time. */
async function deleteTenth(dataDir: string, first: number, end: number): Promise<void> {
  const sink = await connectControl(dataDir);
  if (sink === undefined) throw new Error('the server has no control socket');
  const { apply } = controlSink(sink);
  for (let from = first; from < end; from += 10_000) {
    const count = Math.ceil((Math.min(end, from + 10_000) - from) / 10);
    const records = Array.from({ length: count }, (_, index): ArchiveRecord => ({
      kind: 'delete',
      tweet_id: idOf(from + 10 * index),
    }));
    await apply('bench', { values: 0, done: false }, records);
  }
  sink.close();
}

lowerProcessPriority();
const [work, target = '', ...numbers] = process.argv.slice(2);
const [amount = 0, end = 0] = numbers.map(Number);
await (work === 'search' ? searchTop(Number(target), amount) : deleteTenth(target, amount, end));
