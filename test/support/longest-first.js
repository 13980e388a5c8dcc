// Jest testSequencer: the suites that take longest begin first, so that in the end no worker has one of them to do while the others are
// idle. A fresh clone has no times of its own to go by.
import Sequencer from '@jest/test-sequencer';

const longest = [
  'spec/release/release',
  'spec/dev/dev',
  'walk-through/walk-through',
  'scaffold/scaffold',
  'verify/mutants',
  'verify/verify',
  'client/package',
  'legal-spec',
  'real-sets',
  'release/gate',
  'npm-signals',
  'abuse/requests',
  'import/import',
  'archive/limits',
  'e2e/stream',
  'faults/disk',
  'browser',
  'e2e/assistant-kill',
  'e2e/',
  'backpressure',
  'faults/',
  'demo/replay',
  'testing/mock',
  'realtime/event-log',
  'spec/generators',
  'cli/commands',
  'archive/open',
  'lint.test',
  'overload',
  'verify/',
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
