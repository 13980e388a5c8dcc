/** The numbers of rows that statements of pages read: few texts, so that each connection keeps their plans. */
const rowCounts = [6, 21, 51, 101];

/** The number of rows to read for a page and the item behind it, or some more. */
export const rowsOfPage = (limit: number): number => rowCounts.find((count) => count > limit) ?? limit + 1;
