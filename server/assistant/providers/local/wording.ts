/** Words the findings of the local provider in plain English, around quotations in any language. */
import type { Schemas } from '../../../contract/operations.ts';
import { handlePattern } from '../../../text/username.ts';
import { plain, shortened } from '../../plain-text.ts';

type Tweet = Schemas['Tweet'];

/** Maximum length of a quotation in UTF-16 units. */
const maxQuotationLength = 400;

export const quotation = (text: string): string => `“${shortened(plain(text), maxQuotationLength)}”`;
export const number = (value: number): string => value.toLocaleString('en-US');
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** A list of quotations. */
export const quotations = (texts: readonly string[]): string =>
  listed(texts.map((text) => quotation(withoutAddressees(text))));

/** A sentence with a full stop, unless a quotation at its end already has one. */
export const sentence = (text: string): string => (/[.!?…。！？؟।](?:”|$)$/u.test(text) ? text : `${text}.`);

/** The username of the author, or the id if the archive does not have the profile. */
export function nameOf({ author }: Tweet): string {
  const username = plain(author.username);
  return username === '' ? `the user with id ${author.id}` : `@${username}`;
}

const addressees = new RegExp(String.raw`^(?:@(?:\w{1,50}|${handlePattern})\s+)+(?=\S)`);
/** A reply without the mentions at its start. */
export const withoutAddressees = (text: string): string => plain(text).replace(addressees, '');

export const day = (timestamp: string): string =>
  new Date(timestamp).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
export const moment = (timestamp: string): string =>
  `${day(timestamp)} at ${new Date(timestamp).toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: 'UTC' })} UTC`;
