/** What an action of the operator's interface is, and the parts of the service that actions use. */
import type { accountCommands } from '../assistant/account-registry.ts';
import type { InternalEndpoints } from '../config/urls.ts';
import type { FollowService } from '../follow/follow-service.ts';
import type { EraseReport } from '../maintenance/erase/eraser.ts';
import type { EraseCounts, EraseRequest } from '../maintenance/erase/erasure.ts';
import type { ArchiveEngine } from '../archive/archive-engine.ts';
import type { Keys } from '../ports/keys.ts';
import type { SavedSearches } from '../ports/saved-searches.ts';
import type { AuditLog } from './audit-log.ts';
import type { Backups } from './backups.ts';
import type { OverviewParts } from './overview.ts';
import type { RequestHistory } from './request-history.ts';
import type { Uploads } from './uploads.ts';

/** The commands of `npm run accounts`. */
export type AccountCommands = ReturnType<typeof accountCommands>;

/** What the actions need of the follow service. */
type OperatedFollow = Pick<
  FollowService,
  'add' | 'list' | 'postsOf' | 'remove' | 'resolutions' | 'setToken' | 'userIdsOf'
>;

export interface OperateParts extends OverviewParts {
  readonly accounts: AccountCommands;
  /** The endpoints in the operator's own network that accounts may have. */
  readonly assistantHttp: InternalEndpoints;
  readonly follow: OverviewParts['follow'] & OperatedFollow;
  readonly keys: Keys;
  readonly searches: SavedSearches;
  readonly eraser: {
    preview(request: EraseRequest): Promise<EraseCounts>;
    erase(request: EraseRequest): Promise<EraseReport>;
  };
  /** How the database searches; undefined for a SQLite file. */
  readonly explain?: ArchiveEngine['explain'];
  readonly history: RequestHistory;
  readonly audit: AuditLog;
  readonly uploads: Uploads;
  readonly backups: Backups;
}

/** What an action gets. `body` conforms to its schema. */
export interface ActionCall {
  readonly parts: OperateParts;
  /** The id of the operator's key. */
  readonly keyId: string;
  /** The last segment of the path, where the path has `{id}`. */
  readonly id: string;
  readonly body: unknown;
}

export interface Action {
  readonly method: 'get' | 'post' | 'delete';
  /** Below `/operate/api`. */
  readonly path: string;
  readonly summary: string;
  /** The JSON Schema of the body; undefined for an action without a body. */
  readonly body?: object;
  /** What the audit log says about a call; undefined for an action that changes nothing. */
  readonly subject?: (call: ActionCall, result: unknown) => string;
  /** The audit log has no reason of a refusal: it can name what was to be erased. */
  readonly isDiscreet?: true;
  readonly run: (call: ActionCall) => unknown;
}
