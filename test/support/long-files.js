// The test files whose tests may take longer than a minute on a slow machine, and why. A test of any other file fails after a minute: a
// hang, such as a stream that delivers nothing, must have a verdict soon.

const longMs = 600_000;

const longFiles = [
  {
    reason: 'they run the type checker, the linter, npm, pip or code generators, or a copy of the project',
    files:
      /\/test\/(types|lint)\.test|spec\/dev\/(dev|session|types)\.|spec\/release\/|spec\/scaffold\/|spec\/new\/|walk-through|client\/(package|drift|types|python)|spec\/generat|spec\/files\/commands|spec\/lint\/lint|testing\/foreign|deploy\/image|evals|bench\/(benches|base)/,
  },
  {
    reason: 'they start, kill and stop the service again and again, or several instances of it',
    files:
      /alerts\/kill|client\/events|\/e2e\/|\/test\/faults\/|\/test\/cluster\/|follow\/(kill|server)|deploy\/(host|proxy|monitoring)|cli\/commands|keys\/command/,
  },
  {
    reason: 'one test tries many values, faults or places, or a large archive',
    files:
      /contract-tools\/verify|testing\/mock\/(answers|command)|demo\/replay|maintenance\/(doctor|export|.*-tables)|archive\/(limits|purge|eviction)|dead-letters|collections\/off-heap|injection|import\/(batches|import|real-sets)|formats\/conformance|search\/real-sets|contract-tools\/diff\/(mutations|soundness)|http\/(memory|requests)|client\/end-to-end|\/test\/abuse\/|engines\/postgres|storage\/lowdb\/backup|ports\/(postgres|platform)|assistant\/truth/,
  },
  { reason: 'one test opens many pages in a browser', files: /browser\.test/ },
];

/** The time limit of the tests of a file in milliseconds, where `usual` is the usual one. */
export const timeLimitOf = (path, usual) =>
  longFiles.some(({ files }) => files.test(path.replaceAll('\\', '/'))) ? Math.max(usual, longMs) : usual;
