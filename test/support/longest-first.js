// Jest testSequencer: the suites that take longest begin first, so that in the end no worker has one of them to do while the others are
// idle. A fresh clone has no times of its own to go by.
import Sequencer from '@jest/test-sequencer';

const longest = [
  'walk-through/walk-through',
  'spec/release/release',
  'spec/dev/dev',
  'client/package',
  'verify/verify',
  'legal-spec',
  'verify/mutants',
  'search/real-sets',
  'live-page.browser',
  'faults/disk',
  'follow/server',
  'npm-signals',
  'abuse/requests',
  'release/gate',
  'scaffold/scaffold',
  'lint.test',
  'faults/stop',
  'e2e/import',
  'e2e/refused-start',
  'import/real-sets',
  'browser',
  'spec/generators',
  'archive/purge',
  'realtime/event-log',
  'import/import',
  'http/overload',
  'archive/open',
  'e2e/assistant',
  'realtime/backpressure',
  'deploy/image',
  'demo/replay',
  'faults/crash',
  'archive/limits',
  'maintenance/doctor',
  'cli/commands',
  'e2e/',
  'faults/',
  'testing/mock',
  'client/paging',
  'client/events',
  'http/memory',
  'ports/platform',
  'deploy/',
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
