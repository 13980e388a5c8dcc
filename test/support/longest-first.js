// Jest testSequencer: the suites that take longest begin first, so that in the end no worker has one of them to do while the others are
// idle. A fresh clone has no times of its own to go by.
import Sequencer from '@jest/test-sequencer';

const longest = [
  'walk-through/walk-through',
  'spec/release/release',
  'client/package',
  'spec/dev/dev',
  'search/real-sets',
  'verify/verify',
  'legal-spec',
  'verify/mutants',
  'abuse/requests',
  'browser',
  'e2e/import',
  'faults/disk',
  'realtime/event-log',
  'import/real-sets',
  'npm-signals',
  'release/gate',
  'spec/generators',
  'scaffold/scaffold',
  'lint.test',
  'e2e/',
  'testing/mock',
  'faults/',
  'demo/replay',
  'overload',
  'backpressure',
  'import/import',
  'cli/commands',
  'archive/open',
  'maintenance/doctor',
  'archive/limits',
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
