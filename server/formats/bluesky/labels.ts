/** Labels of posts and accounts: those that the author sets in the record, and those of moderation in views. */
import { fields, list, type Fields } from '../recognised.ts';

const sensitive = new Set(['porn', 'sexual', 'nudity', 'graphic-media', 'gore', 'nsfl']);
/** Moderation removes the content from the platform. */
const withheld = new Set(['!takedown', '!hide', '!suspend']);

const valuesOf = (labels: readonly Fields[]): string[] =>
  labels.flatMap(({ val }) => (typeof val === 'string' ? val : []));

/** The labels that the author of a record sets. */
export const selfLabels = (record: Fields): string[] => valuesOf(list(fields(record.labels).values));

/** The labels of a view that are in force at a time in milliseconds since the epoch. */
export function viewLabels(view: Fields, now: number): string[] {
  const inForce = ({ neg, exp }: Fields): boolean =>
    neg !== true && !(typeof exp === 'string' && Date.parse(exp) <= now);
  return valuesOf(list(view.labels).filter(inForce));
}

export const isSensitive = (labels: readonly string[]): boolean => labels.some((label) => sensitive.has(label));
export const isWithheld = (labels: readonly string[]): boolean => labels.some((label) => withheld.has(label));
/** Whether an account asks to be shown only to people who are signed in to the platform. */
export const isSignedInOnly = (labels: readonly string[]): boolean => labels.includes('!no-unauthenticated');
