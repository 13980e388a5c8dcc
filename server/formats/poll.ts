/** The polls of v1.1 and v2, and the cards of v1.1. */
import archive from '../../generated/archive.json' with { type: 'json' };
import type { Schemas } from '../contract/operations.ts';
import type { ArchivedTweet } from '../domain/records.ts';
import { count, fields, id, isFields, withoutUndefined, list, text, timestamp, type Fields } from './recognised.ts';
import { decode, decoded } from './text.ts';

type Poll = NonNullable<ArchivedTweet['poll']>;
type Options = NonNullable<Poll['options']>;
const { maxLength: maxLabelLength } = archive.components.schemas.PollOption.properties.label;

/**
 * Polls of the platform have two to four options: with another number the list is incomplete, and the result is
 * undefined.
 */
function optionsOf(options: Fields[], nameOf: (option: Fields) => string | undefined): Options | undefined {
  const labelled = options.flatMap((option): Options => {
    const label = nameOf(option);
    if (label === undefined || label.length > maxLabelLength) return [];
    return [withoutUndefined({ label: decode(label), votes: count(option.votes) })];
  });
  return labelled.length >= 2 && labelled.length <= 4 ? labelled : undefined;
}

/** A poll of v2, or of the v1.1 enterprise format, where an option has `text` instead of `label`. */
export function pollOf(poll: Fields): Poll {
  const options = list(poll.options).toSorted((a, b) => (count(a.position) ?? 0) - (count(b.position) ?? 0));
  return withoutUndefined({
    id: id(poll.id),
    options: optionsOf(options, (option) => text(option.label) ?? text(option.text)),
    duration_minutes: count(poll.duration_minutes),
    ends_at: timestamp(poll.end_datetime),
  });
}

/**
 * The poll of a v2 tweet: from the `includes` of its response, or from the tweet itself if a collector has put it
 * there.
 */
export function attachedPoll(tweet: Fields, includes: Fields): Poll | undefined {
  const attachments = fields(tweet.attachments);
  const [pollId]: unknown[] = Array.isArray(attachments.poll_ids) ? attachments.poll_ids : [];
  const nested = [attachments.poll, attachments.polls];
  const candidates = nested.flatMap((polls): Fields[] => (isFields(polls) ? [polls] : list(polls)));
  const poll = candidates[0] ?? list(includes.polls).find((each) => each.id === pollId);
  if (poll !== undefined) return pollOf(poll);
  return pollId === undefined ? undefined : pollOf({ id: pollId });
}

/** The name of the card of a v1.1 status, such as `poll2choice_text_only`. */
export function cardName(status: Fields): string | undefined {
  const name = text(fields(status.card).name);
  return name !== undefined && /^[A-Za-z0-9_:.-]{1,100}$/.test(name) ? name : undefined;
}

/** The values of a card by name: an object, or a list of pairs. */
function bindingsOf(status: Fields): Fields {
  const { binding_values: bindings } = fields(status.card);
  const pairs = list(bindings).map(({ key, value }) => [String(key), value] as const);
  return Array.isArray(bindings) ? Object.fromEntries(pairs) : fields(bindings);
}

const cardImages = [
  'photo_image_full_size_original',
  'summary_photo_image_original',
  'thumbnail_image_original',
  'player_image_original',
];

/** The card of a page that a v1.1 status links to; undefined for other cards, such as polls. */
export function linkCard(status: Fields): Schemas['Card'] | undefined {
  const values = bindingsOf(status);
  const value = (name: string): string | undefined => text(fields(values[name]).string_value);
  const title = decoded(value('title'));
  const shortUrl = value('card_url') ?? text(fields(status.card).url);
  const links = list(fields(status.entities).urls);
  const url = text(links.find((link) => link.url === shortUrl)?.expanded_url) ?? shortUrl;
  if (title === undefined || url === undefined || !URL.canParse(url)) return undefined;
  const image = cardImages
    .map((name) => text(fields(fields(values[name]).image_value).url))
    .find((each) => each !== undefined);
  const domain = value('domain') ?? value('vanity_url') ?? new URL(url).hostname;
  return withoutUndefined({ url, title, description: decoded(value('description')), image, domain });
}

/** The poll of a v1.1 status: an entity in the enterprise format, otherwise its card. */
export function statusPoll(status: Fields): Poll | undefined {
  const entity = list(fields(status.entities).polls)[0];
  if (entity !== undefined) return pollOf(entity);
  if (cardName(status)?.startsWith('poll') !== true) return undefined;
  const values = bindingsOf(status);
  const value = (name: string): string | undefined => text(fields(values[name]).string_value);
  const choices = [1, 2, 3, 4].map((number): Fields => ({
    label: value(`choice${number}_label`),
    votes: value(`choice${number}_count`),
  }));
  return withoutUndefined({
    options: optionsOf(choices, ({ label }) => text(label)),
    duration_minutes: count(value('duration_minutes')),
    ends_at: timestamp(value('end_datetime_utc')),
  });
}
