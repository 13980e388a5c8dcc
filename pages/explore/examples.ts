/** Queries to begin with. Each finds tweets in the bundled sample, and most of them in other archives. */
export const examples = [
  'filter:media',
  'filter:links',
  'coffee OR espresso',
  'filter:quote',
  'min_faves:100',
  'lang:ja OR lang:pt',
] as const;
