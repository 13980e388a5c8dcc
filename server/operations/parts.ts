/** The dependencies of the operations. */
import type { Assistant } from '../assistant/assistant.ts';
import type { EventStreams } from '../ports/event-streams.ts';
import type { Platform } from '../ports/platform.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { SavedSearches } from '../ports/saved-searches.ts';
import type { TokenResolver } from '../ports/token-resolver.ts';
import type { Cursors } from '../contract/cursor.ts';

export interface Parts {
  readonly platform: Platform;
  readonly cursors: Cursors;
  readonly assistant: Assistant;
  readonly resolver: TokenResolver;
  /** The event stream for one subscription. */
  readonly events: EventStreams;
  /** The tokens of the API keys. */
  readonly tokens: Tokens;
  readonly searches: SavedSearches;
}
