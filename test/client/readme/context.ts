/** What the snippets of client/README.md take from the program around them. */
import type { SocialDataClient, Space, Tweet, TweetShort } from '../../../client/src/index.ts';

export interface Context {
  readonly client: SocialDataClient;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
  readonly id: string;
  readonly tweet_id: string;
  readonly query: string;
  readonly saved: string | null | undefined;
  readonly space: Space;
  readonly tweet: Tweet;
  readonly tweets: readonly Tweet[];
  readonly store: (tweets: readonly TweetShort[]) => Promise<void>;
  readonly checkpoint: (cursor: string) => Promise<void>;
  readonly beforeAll: (run: () => unknown) => void;
  readonly afterAll: (run: () => unknown) => void;
  readonly console: { log(...values: readonly unknown[]): void };
  readonly process: {
    readonly env: { readonly SOCIAL_DATA_API_KEY: string };
    readonly stdout: { write(text: string): unknown };
  };
}
