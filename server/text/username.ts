/**
 * The form of usernames: 1–15 letters, digits or `_`, or a handle of Bluesky, which is a domain name of at least two labels
 * (atproto.com/specs/handle). `UsernameOrHandle` of the contract has the same definition.
 */

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const lastLabel = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/**
 * The source of a regular expression that matches a handle. It limits the labels, not the length of the whole: at most 127
 * labels fit.
 */
export const handlePattern = String.raw`(?:${label}\.){1,126}${lastLabel}`;

const maxLength = 253;
const username = new RegExp(`^(?:[A-Za-z0-9_]{1,15}|${handlePattern})$`);

/** Whether a text is a username, without `@`. */
export const isUsername = (text: string): boolean => text.length <= maxLength && username.test(text);
