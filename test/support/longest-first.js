// Jest testSequencer: the suites that take longest begin first, so that in the end no worker has one of them to do while the others are
// idle. A fresh clone has no times of its own to go by.
import Sequencer from '@jest/test-sequencer';

const longest = [
  'spec/dev',
  'walk-through/walk-through',
  'faults/crash',
  'faults/disk',
  'e2e/stream',
  'release/',
  'verify/verify',
  'real-sets',
  'scaffold/scaffold',
  'search/search',
  'platforms/archive',
  'e2e/assistant-kill',
  'faults/',
  'browser',
  'e2e/',
  'verify/',
  'client/package',
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
