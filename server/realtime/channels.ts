/** What can be listened to: each channel, its parameters, what it delivers and in which form. */
import { operations } from '../../generated/operations.ts';
import type { Archive, UserIdentity } from '../platforms/archive/archive.ts';
import type { OperationId, Schemas } from '../contract/operations.ts';
import { badRequest, notFound } from '../contract/service-error.ts';
import type { Condition } from '../search/language/condition.ts';
import { compileQuery } from '../search/language/compile.ts';
import { parse } from '../search/language/parse.ts';

export type ChannelName = Schemas['WsChannel'];
export type ChannelParams = Schemas['WsParams'];

/** How the data of an event is given: as the REST operation of the same things does. */
export type PayloadView = 'full' | 'short' | 'counts' | 'community' | 'pool';

/** What one subscription is told of. */
export interface ChannelTarget {
  readonly channel: ChannelName;
  readonly params: ChannelParams;
  readonly form: PayloadView;
  /** Tells only how things are now: it has no history and nothing of it is replayed. */
  readonly isState: boolean;
  /** Events of this topic, or tweets that meet this condition. */
  readonly what: { readonly topic: string } | { readonly condition: Condition };
  /** Where REST answers the same things. */
  readonly path: string;
}

/** The part of the archive that subscriptions are checked with. */
export interface ChannelSource extends Pick<Archive, 'findUser' | 'ordinal'> {
  readonly communities: { has(id: string): boolean };
}

interface Channel {
  /** One of these must be given, and nothing else. */
  readonly params: readonly (keyof ChannelParams)[];
  readonly form: PayloadView;
  readonly isState?: boolean;
  readonly operation: OperationId;
  /** Throws ServiceError 404 for what is not known, 400 for a query that cannot be read. */
  readonly what: (params: ChannelParams, archive: ChannelSource) => ChannelTarget['what'];
}

/** What the server knows of each channel; the same stands in asyncapi.yaml. */
export const channels: Readonly<Record<ChannelName, Channel>> = {
  'search:tweets': {
    params: ['query'],
    form: 'short',
    operation: 'searchTweets',
    what: ({ query }) => ({ condition: compileQuery(parse(query!)) }),
  },
  'user:tweets': {
    params: ['username', 'user_id'],
    form: 'full',
    operation: 'getUserLastTweets',
    what: (params, archive) => ({ topic: topicOf(userOf(archive, params), topics.author, topics.authorName) }),
  },
  'user:mentions': {
    params: ['username'],
    form: 'short',
    operation: 'getUserMentions',
    what: (params, archive) => ({ topic: topics.mention(userOf(archive, params).username ?? '') }),
  },
  'tweet:replies': {
    params: ['tweet_id'],
    form: 'full',
    operation: 'getTweetReplies',
    what: ({ tweet_id }, archive) => ({ topic: topics.reply(tweetOf(archive, tweet_id!)) }),
  },
  'tweet:engagement': {
    params: ['tweet_id'],
    form: 'counts',
    isState: true,
    operation: 'explainTweet',
    what: ({ tweet_id }, archive) => ({ topic: topics.engagement(tweetOf(archive, tweet_id!)) }),
  },
  'community:tweets': {
    params: ['id'],
    form: 'short',
    operation: 'discoverCommunityTweets',
    what: ({ id }, archive) => {
      if (!archive.communities.has(id!)) throw notFound(`community ${id}`);
      return { topic: topics.community(id!) };
    },
  },
  'community:members': {
    params: ['username'],
    form: 'community',
    operation: 'getUserCommunities',
    what: (params, archive) => ({ topic: topicOf(userOf(archive, params), topics.member, topics.memberName) }),
  },
  'assistant:pool': {
    params: [],
    form: 'pool',
    isState: true,
    operation: 'getAssistantStatus',
    what: () => ({ topic: topics.pool }),
  },
};

/** What events are told under. */
export const topics = {
  author: (userId: string): string => `author ${userId}`,
  authorName: (username: string): string => `author @${username.toLowerCase()}`,
  mention: (username: string): string => `mention ${username.toLowerCase()}`,
  reply: (tweetId: string): string => `reply ${tweetId}`,
  engagement: (tweetId: string): string => `engagement ${tweetId}`,
  community: (id: string): string => `community ${id}`,
  member: (userId: string): string => `member ${userId}`,
  memberName: (username: string): string => `member @${username.toLowerCase()}`,
  pool: 'pool',
};

/** Checks what a subscription asks for. Throws ServiceError: 400 for its parameters, 404 for what is not known. */
export function resolveChannel(name: ChannelName, params: ChannelParams, archive: ChannelSource): ChannelTarget {
  const channel = channels[name];
  const given = Object.keys(params) as (keyof ChannelParams)[];
  const quoted = (members: readonly string[]): string => members.map((member) => `'${member}'`).join(' or ');
  const foreign = given.find((member) => !channel.params.includes(member));
  if (foreign !== undefined) {
    throw badRequest(
      `'${name}' has no parameter '${foreign}': ${channel.params.length === 0 ? 'it takes none' : `give ${quoted(channel.params)}`}`,
    );
  }
  if (channel.params.length > 0 && given.length !== 1)
    throw badRequest(`'${name}' needs exactly one of ${quoted(channel.params)}`);
  const { form, isState = false } = channel;
  return { channel: name, params, form, isState, what: channel.what(params, archive), path: pathOf(channel, params) };
}

const pathOf = ({ operation }: Channel, params: ChannelParams): string => {
  const query = new URLSearchParams(params).toString();
  return `${operations[operation].path}${query === '' ? '' : `?${query}`}`;
};

/** Throws 404 for a user that no record of the archive names. */
function userOf(archive: ChannelSource, { username = '', user_id }: ChannelParams): UserIdentity {
  const user = archive.findUser(user_id === undefined ? { username } : { user_id });
  if (user === undefined) throw notFound(user_id === undefined ? `user ${username}` : `user with id ${user_id}`);
  return user;
}

/** By id, which a rename does not change; by username as long as no record tells the id. */
const topicOf = (
  { id, username = '' }: UserIdentity,
  byId: (id: string) => string,
  byName: (username: string) => string,
): string => (id === undefined ? byName(username) : byId(id));

function tweetOf(archive: ChannelSource, id: string): string {
  if (archive.ordinal(id) === undefined) throw notFound(`tweet ${id}`);
  return id;
}
