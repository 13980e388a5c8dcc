/** The channels on the page: a description, the parameter, and a value that has results in the sample. */
import type { components } from '../../generated/types.ts';

type Schemas = components['schemas'];
type Params = Schemas['WsParams'];

export interface ChannelChoice {
  readonly description: string;
  /** The label of its field; undefined for a channel without a parameter. */
  readonly field?: string;
  readonly value: string;
  readonly params: (value: string) => Params;
}

export const channels: Readonly<Record<Schemas['WsChannel'], ChannelChoice>> = {
  'search:tweets': {
    description: 'tweets that match a query',
    field: 'Query',
    value: '-filter:replies',
    params: (query) => ({ query }),
  },
  'user:tweets': {
    description: 'tweets of a user',
    field: 'Username, or user id',
    value: 'mira_codes',
    // A leading @ marks a username that consists of digits.
    params: (value) => (/^\d+$/.test(value) ? { user_id: value } : { username: value }),
  },
  'user:mentions': {
    description: 'tweets that mention a user',
    field: 'Username',
    value: 'mira_codes',
    params: (username) => ({ username }),
  },
  'tweet:replies': {
    description: 'replies to a tweet',
    field: 'Tweet id',
    value: '1890000000000000001',
    params: (tweet_id) => ({ tweet_id }),
  },
  'tweet:engagement': {
    description: 'the counts of a tweet',
    field: 'Tweet id',
    value: '1890000000000000001',
    params: (tweet_id) => ({ tweet_id }),
  },
  'community:tweets': {
    description: 'tweets in a community',
    field: 'Community id',
    value: '1700000000000000001',
    params: (id) => ({ id }),
  },
  'community:members': {
    description: 'communities that a user joins',
    field: 'Username',
    value: 'mira_codes',
    params: (username) => ({ username }),
  },
  'assistant:pool': { description: 'the accounts of the assistant', value: '', params: () => ({}) },
};

export type ChannelName = keyof typeof channels;

/** A channel, and the value of its parameter; empty for a channel without one. */
export interface Choice {
  readonly channel: ChannelName;
  readonly value: string;
}

export const isChannel = (name: string): name is ChannelName => Object.hasOwn(channels, name);

/**
 * The fragment of the page's URL that stores a choice. A fragment can be linked, and browsers never send it to a
 * server.
 */
export const hashOfChoice = ({ channel, value }: Choice): string =>
  `#${new URLSearchParams({ channel, ...(channels[channel].field === undefined ? {} : { value }) })}`;

/** The choice that a fragment stores; the first channel where it stores none. */
export function choiceOf(hash: string): Choice {
  const parameters = new URLSearchParams(hash.slice(1));
  const name = parameters.get('channel') ?? '';
  const channel = isChannel(name) ? name : 'search:tweets';
  return {
    channel,
    value: isChannel(name) ? (parameters.get('value') ?? channels[channel].value) : channels[channel].value,
  };
}

/** Example queries. */
export const exampleQueries = [
  '-filter:replies',
  '#demo',
  'coffee OR espresso OR tea',
  'filter:media -filter:replies',
  'to:mira_codes',
  'lang:ja OR lang:pt',
];
