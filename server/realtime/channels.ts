/** The channels: their parameters, the events that they deliver, and the view of the event data. */
import { operations } from '../../generated/operations.ts';
import type { Archive } from '../platforms/archive/archive.ts';
import type { UserIdentity } from '../platforms/archive/user-directory.ts';
import type { OperationId, Schemas } from '../contract/operations.ts';
import { badRequest, notFound } from '../contract/service-error.ts';
import type { Condition } from '../search/language/condition.ts';
import { compileQuery } from '../search/language/compile.ts';
import { parse } from '../search/language/parse.ts';

export type ChannelName = Schemas['WsChannel'];
export type ChannelParams = Schemas['WsParams'];

/** The view of the event data; it equals the view of the corresponding REST operation. */
export type PayloadView = 'full' | 'short' | 'counts' | 'community' | 'pool';

/** The target of one subscription. */
export interface ChannelTarget {
  readonly channel: ChannelName;
  readonly params: ChannelParams;
  readonly view: PayloadView;
  /** Whether the channel reports only the current state. Such a channel has no history and no replay. */
  readonly isState: boolean;
  /** Selects the events of a topic, or the tweets that match a condition. */
  readonly selector: { readonly topic: string } | { readonly condition: Condition };
  /** Path and query of the REST operation that returns the same data. */
  readonly path: string;
}

/** The part of the archive that subscriptions are checked with. */
export interface ChannelSource extends Pick<Archive, 'findUser' | 'ordinal'> {
  readonly communities: { has(id: string): boolean };
}

interface Channel {
  /** The accepted parameters. A subscription provides exactly one; without entries it provides none. */
  readonly params: readonly (keyof ChannelParams)[];
  readonly view: PayloadView;
  readonly isState?: boolean;
  readonly operation: OperationId;
  /** Throws ServiceError: 404 for an unknown entity, 400 for a query that cannot be parsed. */
  readonly createSelector: (params: ChannelParams, archive: ChannelSource) => ChannelTarget['selector'];
}

/** The definition of each channel. `spec/asyncapi.yaml` has the same definitions. */
export const channels: Readonly<Record<ChannelName, Channel>> = {
  'search:tweets': {
    params: ['query'],
    view: 'short',
    operation: 'searchTweets',
    createSelector: ({ query }) => ({ condition: compileQuery(parse(query!)) }),
  },
  'user:tweets': {
    params: ['username', 'user_id'],
    view: 'full',
    operation: 'getUserLastTweets',
    createSelector: (params, archive) => ({
      topic: topicOf(userOf(archive, params), topics.author, topics.authorName),
    }),
  },
  'user:mentions': {
    params: ['username'],
    view: 'short',
    operation: 'getUserMentions',
    createSelector: (params, archive) => ({ topic: topics.mention(userOf(archive, params).username ?? '') }),
  },
  'tweet:replies': {
    params: ['tweet_id'],
    view: 'full',
    operation: 'getTweetReplies',
    createSelector: ({ tweet_id }, archive) => ({ topic: topics.reply(tweetOf(archive, tweet_id!)) }),
  },
  'tweet:engagement': {
    params: ['tweet_id'],
    view: 'counts',
    isState: true,
    operation: 'explainTweet',
    createSelector: ({ tweet_id }, archive) => ({ topic: topics.engagement(tweetOf(archive, tweet_id!)) }),
  },
  'community:tweets': {
    params: ['id'],
    view: 'short',
    operation: 'discoverCommunityTweets',
    createSelector: ({ id }, archive) => {
      if (!archive.communities.has(id!)) throw notFound(`community ${id}`);
      return { topic: topics.community(id!) };
    },
  },
  'community:members': {
    params: ['username'],
    view: 'community',
    operation: 'getUserCommunities',
    createSelector: (params, archive) => ({
      topic: topicOf(userOf(archive, params), topics.member, topics.memberName),
    }),
  },
  'assistant:pool': {
    params: [],
    view: 'pool',
    isState: true,
    operation: 'getAssistantStatus',
    createSelector: () => ({ topic: topics.pool }),
  },
};

/** The topics under which the hub finds subscriptions. */
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

/**
 * Validates a subscription and returns its target. Throws ServiceError: 400 for wrong parameters, 404 for an unknown
 * entity.
 */
export function resolveChannel(name: ChannelName, params: ChannelParams, archive: ChannelSource): ChannelTarget {
  const channel = channels[name];
  const providedNames = Object.keys(params) as (keyof ChannelParams)[];
  const quoted = (members: readonly string[]): string => members.map((member) => `'${member}'`).join(' or ');
  const unknownName = providedNames.find((member) => !channel.params.includes(member));
  if (unknownName !== undefined) {
    throw badRequest(
      `'${name}' has no parameter '${unknownName}': ${channel.params.length === 0 ? 'it takes none' : `send ${quoted(channel.params)}`}`,
    );
  }
  if (channel.params.length > 0 && providedNames.length !== 1)
    throw badRequest(`'${name}' needs exactly one of ${quoted(channel.params)}`);
  const { view, isState = false } = channel;
  return {
    channel: name,
    params,
    view,
    isState,
    selector: channel.createSelector(params, archive),
    path: pathOf(channel, params),
  };
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

/** The topic of a user: by id, because a username can change; by username while the archive does not have the id. */
const topicOf = (
  { id, username = '' }: UserIdentity,
  byId: (id: string) => string,
  byName: (username: string) => string,
): string => (id === undefined ? byName(username) : byId(id));

function tweetOf(archive: ChannelSource, id: string): string {
  if (archive.ordinal(id) === undefined) throw notFound(`tweet ${id}`);
  return id;
}
