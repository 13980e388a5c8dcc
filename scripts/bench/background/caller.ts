/**
 * Sends heavy searches one after the other, in a process of a low CPU priority: where processors are few, it must not delay the process
 * that measures. Arguments: the port and the duration in seconds.
 */
import { Agent } from 'node:http';
import { lowerProcessPriority } from '../../../server/process/thread-priority.ts';
import { wordOf } from '../tweets.ts';
import { send } from './requests.ts';

/** The number of words in a search, and of the most frequent words, at one of which the words of a search begin. */
const [words, starts] = [10, 50];

lowerProcessPriority();
const [port = 0, seconds = 0] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });
const end = performance.now() + seconds * 1000;
for (let first = 1; performance.now() < end; first = 1 + (first % starts)) {
  const query = Array.from({ length: words }, (_, index) => wordOf(first + index)).join('%20OR%20');
  await send(agent, port, `/social/tweet/advanced_search?query_type=Top&query=${query}&limit=100`);
}
agent.destroy();
