// Jest testSequencer: the test files that take longest begin first, so that in the end no worker has one of them to run while the others are
// idle. A fresh clone has no times of earlier runs. Files that mostly wait for a browser or a timeout begin one after the other, each between
// files that compute: if all workers waited at the same time, the cores would be idle.
import Sequencer from '@jest/test-sequencer';

const longest = [
  // In a new worker: its garbage takes twice as long to collect among what other test files leave.
  'import/import.test',
  'walk-through/walk-through',
  'spec/dev/dev',
  'spec/release/release',
  'client/package',
  'verify/verify',
  'test/lint.test',
  'spec/scaffold/scaffold',
  'test/types.test',
  'abuse/requests',
  'e2e/import',
  'faults/disk',
  'e2e/assistant-kill',
  'release/gate',
  'planted-faults',
  'network-simulation',
  'deploy/image',
  'follow/server',
  'faults/stop',
  'search/real-sets',
  'import/real-sets',
  'faults/crash',
  'e2e/assistant-openai',
  'e2e/stream',
  'cli/commands',
  'mock/answers',
  'legal-spec',
  'demo/replay',
  'mock/command',
  'e2e/refused-start',
  'archive/purge',
  'http/memory',
  'realtime/backpressure',
  'deploy/',
  'e2e/',
  'faults/',
  'dead-letters',
  'import/batches',
  'archive/eviction',
  'assistant/providers/local',
  'ports/platform',
  'client/',
  'keys/command',
  'abuse/',
  'spec/files/commands',
  'realtime/gateway',
  'testing/foreign',
  'maintenance/doctor',
  'archive/limits',
];

/** They use the processor for less than a third of their time. */
const waiting = [
  'http/pages.browser',
  'operate/operate.browser',
  'http/docs.browser',
  'http/live-page.browser',
  'http/search-page.browser',
  'e2e/npm-signals',
  'http/unread-bodies',
  'faults/upstreams',
  'e2e/assistant.test',
  'http/listen',
  'client/paging',
  'browser',
  'follow/fill/service',
  'operate/api',
  'onchain/last-tweets',
  'http/overload',
  'abuse/timeouts',
];
/** So many files that compute are between two that wait: at any time about one worker waits. */
const between = 5;

const rankIn = (parts, { path }) => {
  const found = parts.findIndex((part) => path.includes(part));
  return found === -1 ? parts.length : found;
};
const byRank = (parts, tests) => tests.toSorted((a, b) => rankIn(parts, a) - rankIn(parts, b));
const isWaiting = (test) => rankIn(waiting, test) < waiting.length;

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const all = await super.sort(tests);
    const computing = byRank(
      longest,
      all.filter((test) => !isWaiting(test)),
    );
    const waits = byRank(waiting, all.filter(isWaiting));
    const order = computing.flatMap((test, place) =>
      place % between === 0 && place / between < waits.length ? [waits[place / between], test] : [test],
    );
    return [...order, ...waits.slice(Math.ceil(computing.length / between))];
  }
}
