// Jest testSequencer: the suites that take longest begin first, so that in the end no worker has one of them to do while the others are
// idle. A fresh clone has no times of its own to go by.
import Sequencer from '@jest/test-sequencer';

const longest = [
  // In a new worker: its garbage takes twice as long to collect among what other test files leave.
  'import/import.test',
  'walk-through/walk-through',
  'spec/dev/dev',
  'http/pages.browser',
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
  'npm-signals',
  'release/gate',
  'planted-faults',
  'live-page.browser',
  'network-simulation',
  'deploy/image',
  'follow/server',
  'faults/stop',
  'search/real-sets',
  'import/real-sets',
  'faults/crash',
  'browser',
  'e2e/assistant-openai',
  'e2e/stream',
  'cli/commands',
  'mock/answers',
  'legal-spec',
  'demo/replay',
  'mock/command',
  'e2e/refused-start',
  'archive/purge',
  'http/overload',
  'http/memory',
  'realtime/backpressure',
  'deploy/',
  'e2e/',
  'faults/',
  'archive/set-aside',
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

const rank = ({ path }) => {
  const found = longest.findIndex((part) => path.includes(part));
  return found === -1 ? longest.length : found;
};

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    return (await super.sort(tests)).toSorted((a, b) => rank(a) - rank(b));
  }
}
