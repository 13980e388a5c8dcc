/**
 * What must and what must not compile: `npm run typecheck` is the test. A line under `@ts-expect-error` that does compile is an
 * error there. What an operation takes and answers is said here once more, by hand; one that is new may do without.
 */
import {
  ConversationExpiredError,
  createClient,
  type Answered,
  type Call,
  type ErrorOf,
  type EventOf,
  type FollowedList,
  type List,
  type OperationId,
  type Parameters,
  type Result,
  type Schemas,
} from '../../client/src/index.ts';
import { createMocks } from '../../client/src/msw.ts';
import type { operations } from '../../generated/types.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const same = <One, Other>(_is: Same<One, Other>): void => {};

export const client = createClient({ baseUrl: 'http://127.0.0.1', apiKey: () => 'k', keyIn: 'bearer' });
const { tweet, tweets, user, users, community, space, assistant } = client;

// What each operation answers, exactly; a list by its items and its page.
type ListOf<Id extends OperationId, One, Page> = List<One, Page, ErrorOf<Id>>;
type FollowedOf<Id extends OperationId, One, Page, Channel> = FollowedList<One, Page, ErrorOf<Id>, EventOf<Channel>>;
interface Answers {
  explainTweet: Call<Schemas['AssistantAnswer'], ErrorOf<'explainTweet'>>;
  getAssistantStatus: Call<Schemas['PoolStatus'], ErrorOf<'getAssistantStatus'>>;
  getUserLastTweets: FollowedOf<'getUserLastTweets', Schemas['Tweet'], Schemas['LastTweetsPage'], 'user:tweets'>;
  getUserHighlights: ListOf<'getUserHighlights', Schemas['Tweet'], Schemas['TweetPage']>;
  getUserFollowings: ListOf<'getUserFollowings', Schemas['User'], Schemas['FollowingPage']>;
  getUserMentions: FollowedOf<'getUserMentions', Schemas['TweetShort'], Schemas['TweetShortPage'], 'user:mentions'>;
  getUsers: Call<Schemas['UserBatch'], ErrorOf<'getUsers'>>;
  getTweets: Call<Schemas['TweetBatch'], ErrorOf<'getTweets'>>;
  getUserFollowers: ListOf<'getUserFollowers', Schemas['User'], Schemas['FollowersPage']>;
  getTweetQuotes: ListOf<'getTweetQuotes', Schemas['Tweet'], Schemas['QuotesPage']>;
  countTweets: Call<Schemas['TweetCounts'], ErrorOf<'countTweets'>>;
  getCommunity: Call<Schemas['CommunityInfo'], ErrorOf<'getCommunity'>>;
  getTweetReplies: FollowedOf<'getTweetReplies', Schemas['Tweet'], Schemas['RepliesPage'], 'tweet:replies'>;
  getTweetRetweeters: ListOf<'getTweetRetweeters', Schemas['User'], Schemas['RetweetersPage']>;
  searchTweets: FollowedOf<'searchTweets', Schemas['TweetShort'], Schemas['TweetShortPage'], 'search:tweets'>;
  discoverCommunityTweets: FollowedOf<
    'discoverCommunityTweets',
    Schemas['TweetShort'],
    Schemas['TweetShortPage'],
    'community:tweets'
  >;
  getCommunityMedia: ListOf<'getCommunityMedia', Schemas['TweetShort'], Schemas['TweetShortPage']>;
  getUserCommunities: FollowedOf<
    'getUserCommunities',
    Schemas['Community'],
    Schemas['CommunitiesPage'],
    'community:members'
  >;
  getSpace: Call<Schemas['Space'], ErrorOf<'getSpace'>>;
  unlikeTweet: Call<Schemas['UnlikeResult'], ErrorOf<'unlikeTweet'>>;
}
same<OperationId, keyof operations>(true);
same<Exclude<keyof Answers, OperationId>, never>(true);
same<ReturnType<typeof tweet.assistant>, Answers['explainTweet']>(true);
same<ReturnType<typeof assistant.status>, Answers['getAssistantStatus']>(true);
same<ReturnType<typeof user.lastTweets>, Answers['getUserLastTweets']>(true);
same<ReturnType<typeof user.highlights>, Answers['getUserHighlights']>(true);
same<ReturnType<typeof user.followings>, Answers['getUserFollowings']>(true);
same<ReturnType<typeof user.followers>, Answers['getUserFollowers']>(true);
same<ReturnType<typeof tweet.quotes>, Answers['getTweetQuotes']>(true);
same<ReturnType<typeof tweet.counts>, Answers['countTweets']>(true);
same<ReturnType<typeof community.info>, Answers['getCommunity']>(true);
same<ReturnType<typeof user.mentions>, Answers['getUserMentions']>(true);
same<ReturnType<typeof users.getUsers>, Answers['getUsers']>(true);
same<ReturnType<typeof tweets.getTweets>, Answers['getTweets']>(true);
same<ReturnType<typeof tweet.replies>, Answers['getTweetReplies']>(true);
same<ReturnType<typeof tweet.retweeters>, Answers['getTweetRetweeters']>(true);
same<ReturnType<typeof tweet.advancedSearch>, Answers['searchTweets']>(true);
same<ReturnType<typeof community.discover>, Answers['discoverCommunityTweets']>(true);
same<ReturnType<typeof community.media>, Answers['getCommunityMedia']>(true);
same<ReturnType<typeof community.members>, Answers['getUserCommunities']>(true);
same<ReturnType<typeof space.detail>, Answers['getSpace']>(true);
same<ReturnType<typeof tweet.unlike>, Answers['unlikeTweet']>(true);

// The parameters of each operation, exactly.
type Paged = { cursor?: string | null | undefined; limit?: number | undefined };
type OneUser = { username: string; user_id?: never } | { user_id: string; username?: never };
type Flat<Given> = Given extends unknown ? { [Name in keyof Given]: Given[Name] } : never;
same<Parameters<'getAssistantStatus'>, Record<string, never>>(true);
same<
  Parameters<'getUserLastTweets'>,
  Flat<Paged & { include_replies?: '0' | '1' | boolean | undefined; resolve_cashtags?: string | undefined } & OneUser>
>(true);
same<Parameters<'getUserHighlights'>, Flat<Paged & OneUser>>(true);
same<Parameters<'getUserFollowings'>, Flat<Paged & OneUser>>(true);
same<
  Parameters<'getUserMentions'>,
  Flat<Paged & { since_time?: number | Date | undefined; until_time?: number | Date | undefined } & OneUser>
>(true);
same<Parameters<'getTweets'>, { ids: readonly string[] }>(true);
same<Parameters<'getUserFollowers'>, Flat<Paged & OneUser>>(true);
same<Parameters<'getTweetQuotes'>, Flat<Paged & { tweet_id: string }>>(true);
same<Parameters<'getCommunity'>, { id: string }>(true);
same<Parameters<'getTweetReplies'>, Flat<Paged & { tweet_id: string }>>(true);
same<Parameters<'getTweetRetweeters'>, Flat<Paged & { tweet_id: string }>>(true);
same<Parameters<'searchTweets'>, Flat<Paged & { query: string; query_type?: 'Latest' | 'Top' | undefined }>>(true);
same<Parameters<'discoverCommunityTweets'>, Flat<Paged & { id: string }>>(true);
same<Parameters<'getCommunityMedia'>, Flat<Paged & { id: string }>>(true);
same<Parameters<'getUserCommunities'>, Flat<Paged & { username: string }>>(true);
same<Parameters<'getSpace'>, { id: string }>(true);
same<Parameters<'unlikeTweet'>, { tweet_id: string }>(true);

export function whatMustNotCompile(): void {
  // @ts-expect-error: misspelt
  void user.lastTweets({ user_name: 'mira_codes' });
  // @ts-expect-error: neither of the two
  void user.lastTweets({ limit: 5 });
  // @ts-expect-error: both of the two
  void user.lastTweets({ username: 'mira_codes', user_id: '1' });
  // @ts-expect-error: nothing at all
  void user.highlights();
  // @ts-expect-error: a parameter of another operation
  void user.highlights({ username: 'mira_codes', include_replies: '1' });
  // @ts-expect-error: a number where a string is due
  void user.followings({ user_id: 1 });
  // @ts-expect-error: a string where a number is due
  void user.mentions({ username: 'mira_codes', since_time: '2026-01-01' });
  // @ts-expect-error: missing
  void tweet.replies({});
  // @ts-expect-error: misspelt beside what is needed
  void tweet.retweeters({ tweet_id: '1', limits: 5 });
  // @ts-expect-error: not of the enumeration
  void tweet.advancedSearch({ query: 'coffee', query_type: 'latest' });
  // @ts-expect-error: null
  void community.discover({ id: null });
  // @ts-expect-error: misspelt
  void community.media({ ids: '1' });
  // @ts-expect-error: not a parameter of this operation
  void community.members({ username: 'mira_codes', user_id: '1' });
  // @ts-expect-error: missing
  void space.detail({});
  // @ts-expect-error: more than the body has
  void tweet.unlike({ tweet_id: '1', id: '1' });
  // @ts-expect-error: it takes none
  void assistant.status({ verbose: true });
  // @ts-expect-error: neither a tweet nor a conversation
  void tweet.assistant({ prompt: 'why?' });
  // @ts-expect-error: a conversation without a question
  void tweet.assistant({ conversation_id: 'c_1' });
  // @ts-expect-error: not of the enumeration
  void tweet.assistant({ tweet_id: '1', extract: 'tokens' });
  // @ts-expect-error: the conversation knows its tweet
  void assistant.explain('1', { tweet_id: '1' });
  // @ts-expect-error: there is no such operation
  void user.friends({ username: 'mira_codes' });
  // @ts-expect-error: an overall limit is for lists
  void space.detail({ id: '1' }, { limit: 5 });
  // @ts-expect-error: there is no such option
  void space.detail({ id: '1' }, { timeout: 5 });
  // @ts-expect-error: there is no such way for a key
  createClient({ baseUrl: '', keyIn: 'cookie' });
  // @ts-expect-error: no such path
  void client.GET('/social/user/friends');
  // @ts-expect-error: the path has no such verb
  void client.POST('/social/user/highlights', {});
}

export function whatMustCompile(): void {
  void assistant.status();
  void assistant.status(undefined, { signal: AbortSignal.abort(), retry: false });
  void tweet.assistant({ tweet_id: '1' });
  void tweet.assistant({ conversation_id: 'c_1', prompt: 'why?', extract: 'token' });
  void tweet.assistant({ tweet_id: '1', conversation_id: 'c_1', prompt: 'why?' });
  void user.lastTweets(
    { user_id: '1', include_replies: '1', limit: 100 },
    { limit: 500, retry: { retries: 5 }, timeoutMs: 1_000 },
  );
}

export async function whatAnswersAre(): Promise<void> {
  const page = await user.lastTweets({ username: 'mira_codes' });
  same<typeof page, Schemas['LastTweetsPage']>(true);
  // @ts-expect-error: a misspelt member
  void page.tweet;
  // @ts-expect-error: the short form has no media
  for await (const found of tweet.advancedSearch({ query: 'coffee' })) void found.media;
  for await (const each of tweet.replies({ tweet_id: '1' }).pages()) same<typeof each, Schemas['RepliesPage']>(true);
  // @ts-expect-error: no list
  for await (const each of space.detail({ id: '1' })) void each; // oxlint-disable-line typescript/await-thenable
  same<Awaited<ReturnType<ReturnType<typeof space.detail>['withResponse']>>, Answered<Schemas['Space']>>(true);
  same<Awaited<ReturnType<ReturnType<typeof space.detail>['result']>>, Result<Schemas['Space'], ErrorOf<'getSpace'>>>(
    true,
  );
  const { data, error } = await client.GET('/social/space/detail', { params: { query: { id: '1' } } });
  if (error === undefined) same<typeof data, Schemas['Space']>(true);
  else same<typeof error, { error: string }>(true);
}

export async function whatErrorsAre(): Promise<void> {
  const { ok, error } = await tweet.assistant({ tweet_id: '1' }).result();
  if (ok) return same<typeof error, undefined>(true);
  if (error.name === 'ConversationExpiredError') {
    same<typeof error.status, 409>(true);
    const expired: ConversationExpiredError = error;
    void expired;
  } else if (error.name === 'RateLimitError') same<typeof error.status, 429>(true);
  // @ts-expect-error: where there was no answer, there is no status
  else if (error.name === 'TimeoutError') void error.status;
  // @ts-expect-error: there is no such error
  else if (error.name === 'RateLimitedError') void error;
  if (error instanceof ConversationExpiredError) same<typeof error.status, 409>(true);
  // Only the assistant has conversations, only what has a body a media type.
  same<Extract<ErrorOf<'getSpace'>, { name: 'ConversationExpiredError' }>, never>(true);
  same<Extract<ErrorOf<'getSpace'>, { name: 'UnsupportedMediaTypeError' }>, never>(true);
  same<Extract<ErrorOf<'unlikeTweet'>, { name: 'UnsupportedMediaTypeError' }>['status'], 415>(true);
}

export async function whatEventsAre(): Promise<void> {
  for await (const delivered of client.events({ search: 'coffee' })) {
    same<typeof delivered.event, 'tweet.created' | 'tweet.updated' | 'tweet.deleted'>(true);
    if (delivered.event === 'tweet.deleted') same<typeof delivered.data, Schemas['WsDeleted']>(true);
    else same<typeof delivered.data, Schemas['TweetShort']>(true);
    same<typeof delivered.cursor, string>(true);
  }
  for await (const { data } of client.events({ replies: '1' }))
    if ('text' in data) same<typeof data, Schemas['Tweet']>(true);
  for await (const delivered of client.events({ engagement: '1' }, { cursor: 'e.1', retries: 5 }))
    if (delivered.event === 'tweet.deleted') same<typeof delivered.data, Schemas['WsDeleted']>(true);
    else same<typeof delivered.data, Schemas['WsEngagement']>(true);
  for await (const { data } of client.events({ memberships: 'ada' })) same<typeof data, Schemas['Community']>(true);
  for await (const { data } of client.events({ pool: true })) same<typeof data, Schemas['PoolStatus']>(true);
  // Some selection covers every channel and every event of the contract.
  type Selections = {
    search: string;
    user: string;
    userId: string;
    mentions: string;
    replies: string;
    engagement: string;
    community: string;
    memberships: string;
    pool: true;
  };
  same<EventOf<Selections>['event'], Schemas['WsEventName']>(true);
  // @ts-expect-error: misspelt
  client.events({ serach: 'coffee' });
  // @ts-expect-error: two at once
  client.events({ search: 'coffee', user: 'ada' });
  // @ts-expect-error: nothing
  client.events({});
  // @ts-expect-error: no query
  client.events({ search: true });
  // @ts-expect-error: there is no such option
  client.events({ pool: true }, { from: 'e.1' });
}

export async function whatMocksTake(): Promise<void> {
  const mocks = createMocks();
  mocks.user.lastTweets.pages([]);
  mocks.tweet.unlike.answers(({ parameters }) => ({ success: parameters.tweet_id === '1' }));
  mocks.tweet.assistant.fails('ConversationExpired', { once: true });
  mocks.events.emit('user:tweets', { event: 'tweet.deleted', data: { id: '1' } });
  // @ts-expect-error: not the answer of the method
  mocks.tweet.unlike.answers({ succeeded: true });
  // @ts-expect-error: no list
  mocks.space.detail.pages([]);
  // @ts-expect-error: items of another list
  mocks.user.followings.pages(await client.user.lastTweets({ username: 'ada' }).toArray());
  // @ts-expect-error: an error that this operation does not have
  mocks.space.detail.fails('ConversationExpired');
  // @ts-expect-error: an event that the channel does not have
  mocks.events.emit('user:tweets', { event: 'pool.status', data: await client.assistant.status() });
}
