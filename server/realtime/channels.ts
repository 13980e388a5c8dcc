/** The channels: their parameters, the events that they deliver, and the view of the event data. */
import { operations } from '../../generated/operations.ts';
import type { OperationId, Schemas } from '../contract/operations.ts';
import { badRequest, notFound } from '../contract/service-error.ts';
import { unsupported, type CallOptions, type KnownUser, type StreamSource, type UserRef } from '../ports/platform.ts';
import type { Condition } from '../search/language/condition.ts';
import { compileQuery } from '../search/language/compile.ts';
import { parse } from '../search/language/parse.ts';

export type ChannelName = Schemas['WsChannel'];
export type ChannelParams = Schemas['WsParams'];

/** The view of the event data; it equals the view of the corresponding REST operation. */
export type PayloadView = 'full' | 'short' | 'counts' | 'community' | 'pool';

/** Selects the events of a topic, or the tweets that match a condition. */
type Selector = { readonly topic: string } | { readonly condition: Condition };

/** A selector that depends on an entity of the platform, which must exist. */
type EntitySelector =
  | { readonly user: UserRef; readonly topic: (user: KnownUser) => string }
  | { readonly tweetId: string; readonly topic: string }
  | { readonly communityId: string; readonly topic: string };

/** The target of one subscription. */
export interface ChannelTarget {
  readonly channel: ChannelName;
  readonly params: ChannelParams;
  readonly view: PayloadView;
  /** Whether the channel reports only the current state. Such a channel has no history and no replay. */
  readonly isState: boolean;
  readonly selector: Selector;
  /** Path and query of the REST operation that returns the same data. */
  readonly path: string;
}

/** A subscription whose parameters are valid; whether its entity exists is not known yet. */
interface ChannelRequest extends Omit<ChannelTarget, 'selector'> {
  readonly operation: OperationId;
  readonly selector: Selector | EntitySelector;
}

/** The part of the platform that subscriptions are checked with. */
export type ChannelSource = Pick<StreamSource, 'capabilities' | 'user' | 'snapshots' | 'hasCommunity'>;

interface Channel {
  /** The accepted parameters. A subscription provides exactly one; without entries it provides none. */
  readonly params: readonly (keyof ChannelParams)[];
  readonly view: PayloadView;
  readonly isState?: boolean;
  readonly operation: OperationId;
  /** Throws ServiceError 400 for a query that cannot be parsed. */
  readonly select: (params: ChannelParams) => Selector | EntitySelector;
}

/** The definition of each channel. `spec/asyncapi.yaml` has the same definitions. */
export const channels: Readonly<Record<ChannelName, Channel>> = {
  'search:tweets': {
    params: ['query'],
    view: 'short',
    operation: 'searchTweets',
    select: ({ query = '' }) => ({ condition: compileQuery(parse(query)) }),
  },
  'user:tweets': {
    params: ['username', 'user_id'],
    view: 'full',
    operation: 'getUserLastTweets',
    select: (params) => ({ user: userRef(params), topic: (user) => topicOf(user, topics.author, topics.authorName) }),
  },
  'user:mentions': {
    params: ['username'],
    view: 'short',
    operation: 'getUserMentions',
    select: (params) => ({ user: userRef(params), topic: (user) => topicOf(user, topics.mention, topics.mentionName) }),
  },
  'tweet:replies': {
    params: ['tweet_id'],
    view: 'full',
    operation: 'getTweetReplies',
    select: ({ tweet_id: tweetId = '' }) => ({ tweetId, topic: topics.reply(tweetId) }),
  },
  'tweet:engagement': {
    params: ['tweet_id'],
    view: 'counts',
    isState: true,
    operation: 'explainTweet',
    select: ({ tweet_id: tweetId = '' }) => ({ tweetId, topic: topics.engagement(tweetId) }),
  },
  'community:tweets': {
    params: ['id'],
    view: 'short',
    operation: 'discoverCommunityTweets',
    select: ({ id: communityId = '' }) => ({ communityId, topic: topics.community(communityId) }),
  },
  'community:members': {
    params: ['username'],
    view: 'community',
    operation: 'getUserCommunities',
    select: (params) => ({ user: userRef(params), topic: (user) => topicOf(user, topics.member, topics.memberName) }),
  },
  'assistant:pool': {
    params: [],
    view: 'pool',
    isState: true,
    operation: 'getAssistantStatus',
    select: () => ({ topic: topics.pool }),
  },
};

/** The topics under which the hub finds subscriptions. */
export const topics = {
  author: (userId: string): string => `author ${userId}`,
  authorName: (username: string): string => `author @${username.toLowerCase()}`,
  mention: (userId: string): string => `mention ${userId}`,
  mentionName: (username: string): string => `mention @${username.toLowerCase()}`,
  reply: (tweetId: string): string => `reply ${tweetId}`,
  engagement: (tweetId: string): string => `engagement ${tweetId}`,
  community: (id: string): string => `community ${id}`,
  member: (userId: string): string => `member ${userId}`,
  memberName: (username: string): string => `member @${username.toLowerCase()}`,
  pool: 'pool',
};

/**
 * Validates the parameters of a subscription, without the platform. Throws ServiceError 400 for wrong parameters and for
 * a query that cannot be parsed.
 */
export function readChannel(name: ChannelName, params: ChannelParams): ChannelRequest {
  const channel = channels[name];
  const { operation, view, isState = false } = channel;
  checkParams(name, channel, Object.keys(params));
  return {
    channel: name,
    params,
    view,
    isState,
    operation,
    selector: channel.select(params),
    path: pathOf(operation, params),
  };
}

/**
 * Validates a subscription and returns its target. Throws ServiceError: 400 like `readChannel`, 404 for an unknown
 * entity, 501 for a channel that the platform does not support.
 */
export async function resolveChannel(
  name: ChannelName,
  params: ChannelParams,
  platform: ChannelSource,
  options: CallOptions,
): Promise<ChannelTarget> {
  const { operation, selector, ...request } = readChannel(name, params);
  const refusal = unsupported(platform, operation);
  if (refusal !== undefined) throw refusal;
  return { ...request, selector: await resolveSelector(selector, platform, options) };
}

/** The target of a search, which depends on no entity. Throws ServiceError 400 for a query that cannot be parsed. */
export function searchTarget(query: string): ChannelTarget {
  const { operation: _, ...request } = readChannel('search:tweets', { query });
  return { ...request, selector: { condition: compileQuery(parse(query)) } };
}

async function resolveSelector(
  selector: Selector | EntitySelector,
  platform: ChannelSource,
  options: CallOptions,
): Promise<Selector> {
  if ('user' in selector) return { topic: selector.topic(await platform.user(selector.user, options)) };
  if ('tweetId' in selector) {
    const { tweetId, topic } = selector;
    const [tweet] = await platform.snapshots([tweetId], options);
    if (tweet === undefined || tweet.isGone) throw notFound(`tweet ${tweetId}`);
    return { topic };
  }
  if ('communityId' in selector) {
    const { communityId, topic } = selector;
    if (!(await platform.hasCommunity(communityId, options))) throw notFound(`community ${communityId}`);
    return { topic };
  }
  return selector;
}

function checkParams(name: ChannelName, { params }: Channel, provided: readonly string[]): void {
  const accepted: readonly string[] = params;
  const quoted = accepted.map((member) => `'${member}'`).join(' or ');
  const unknownName = provided.find((member) => !accepted.includes(member));
  if (unknownName !== undefined) {
    throw badRequest(
      `'${name}' has no parameter '${unknownName}': ${accepted.length === 0 ? 'it takes none' : `send ${quoted}`}`,
    );
  }
  if (accepted.length > 0 && provided.length !== 1) throw badRequest(`'${name}' needs exactly one of ${quoted}`);
}

function pathOf(operation: OperationId, params: ChannelParams): string {
  const query = new URLSearchParams({ ...params }).toString();
  return `${operations[operation].path}${query === '' ? '' : `?${query}`}`;
}

const userRef = ({ username = '', user_id }: ChannelParams): UserRef =>
  user_id === undefined ? { username } : { user_id };

/** The topic of a user: by id, because a username can change; by username while the platform does not have the id. */
const topicOf = (
  { id, username = '' }: KnownUser,
  byId: (id: string) => string,
  byName: (username: string) => string,
): string => (id === undefined ? byName(username) : byId(id));
