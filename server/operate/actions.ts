/** The actions of the operator's interface: paths, inputs and what they do. The routes and their description derive from them. */
import { badRequest, notFound, ServiceError, unavailable } from '../contract/service-error.ts';
import { AccountError } from '../assistant/accounts.ts';
import { TargetError } from '../config/targets.ts';
import { keyCommands } from '../keys/key-commands.ts';
import { keyScopes } from '../keys/scopes.ts';
import type { EraseReport } from '../maintenance/erase/eraser.ts';
import type { EraseRequest } from '../maintenance/erase/erasure.ts';
import { StoreError } from '../ports/storage.ts';
import { parse } from '../search/language/parse.ts';
import { accountActions } from './account-actions.ts';
import type { Action, ActionCall, OperateParts } from './action.ts';
import { expectedCounts, object, size, text } from './body.ts';
import { followActions } from './follow-actions.ts';
import { readOverview } from './overview.ts';
import { spanNames } from './request-history.ts';
import { webhookActions } from './webhook-actions.ts';
import type { FileFacts } from './upload-files.ts';

interface EraseBody {
  readonly user?: string;
  readonly tweet_ids?: readonly string[];
  readonly query?: string;
}

const eraseProperties = {
  user: { ...text(253), description: 'a username or an id: the account and all that it wrote' },
  tweet_ids: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', pattern: '^[0-9]{1,19}$' } },
  query: { ...text(1024), description: 'a query of the search language: the tweets that match it' },
};

/** Throws 400 unless the body names exactly one thing to erase. */
function eraseRequest({ user, tweet_ids, query }: EraseBody): EraseRequest {
  const requests: EraseRequest[] = [];
  if (user !== undefined) requests.push({ kind: 'user', user });
  if (tweet_ids !== undefined) requests.push({ kind: 'tweets', ids: tweet_ids });
  if (query !== undefined) requests.push({ kind: 'query', query });
  const [request] = requests;
  if (request === undefined || requests.length > 1)
    throw badRequest("exactly one of 'user', 'tweet_ids' and 'query' is required");
  return request;
}

interface EraseCall extends EraseBody {
  readonly expected: { readonly tweets: number; readonly users: number };
}

/** Erases if the archive still has what the preview counted. Throws 409 otherwise. */
async function erase({ eraser }: OperateParts, call: EraseCall): Promise<EraseReport> {
  const request = eraseRequest(call);
  const { tweets, users } = await eraser.preview(request);
  if (tweets !== call.expected.tweets || users !== call.expected.users)
    throw new ServiceError(409, `this would erase ${tweets} tweets and ${users} accounts now: look at a new preview`);
  return eraser.erase(request);
}

/** A call whose body has passed its schema. */
const bodyOf = <Body>({ body }: ActionCall): Body => body as Body;
interface UploadBody extends FileFacts {}

const keyActions: readonly Action[] = [
  {
    method: 'get',
    path: '/keys',
    summary: 'the stored keys, without their texts, and the scopes that a key may have',
    run: async ({ parts: { keys } }) => ({ keys: await keys.list(), scopes: keyScopes }),
  },
  {
    method: 'post',
    path: '/keys',
    summary: 'creates a key; only this response has its text',
    body: object({ name: text(100), scopes: text(100), rate: text(100), expires: text(100) }, ['name']),
    subject: (call, result) => {
      const { name, scopes = 'all but admin' } = bodyOf<{ name: string; scopes?: string }>(call);
      return `${(result as { id?: string } | undefined)?.id ?? ''} ${JSON.stringify(name)}, scopes: ${scopes}`.trim();
    },
    run: ({ parts: { keys }, body }) => keyCommands(keys)['keys/create'](body),
  },
  {
    method: 'delete',
    path: '/keys/{id}',
    summary: 'revokes a key, and ends its event streams',
    subject: ({ id }) => id,
    run: async ({ parts: { keys }, id, keyId }) => {
      if (id === keyId) throw new ServiceError(409, 'this is the key that you use: revoke it with another one');
      if (!(await keys.revoke(id))) throw notFound('this key');
      return { id, revoked: true };
    },
  },
];

const eraseActions: readonly Action[] = [
  {
    method: 'post',
    path: '/erase/preview',
    summary: 'counts what an erasure removes; changes nothing',
    body: object(eraseProperties, []),
    run: ({ parts: { eraser }, body }) => eraser.preview(eraseRequest(body as EraseBody)),
  },
  {
    method: 'post',
    path: '/erase',
    summary: 'erases tweets or an account; `expected` repeats the counts of the preview',
    body: object({ ...eraseProperties, expected: expectedCounts }, ['expected']),
    isDiscreet: true,
    // No id and no name: the proof of an erasure has none either.
    subject: (call) => {
      const { expected } = bodyOf<EraseCall>(call);
      return `${expected.tweets} tweets, ${expected.users} accounts`;
    },
    run: ({ parts, body }) => erase(parts, body as EraseCall),
  },
];

const importActions: readonly Action[] = [
  {
    method: 'get',
    path: '/imports',
    summary:
      'the unfinished uploads, and those since the start of the server with the progress and the reports of their imports',
    run: ({ parts: { uploads } }) => ({ imports: uploads.list() }),
  },
  {
    method: 'post',
    path: '/imports',
    summary: 'begins the upload of a file, or finds the interrupted one: `received` is where its next part begins',
    body: object({ name: text(255), bytes: { ...size, minimum: 1 }, modified: size }, ['name', 'bytes', 'modified']),
    run: ({ parts: { uploads }, body }) => uploads.begin(body as UploadBody),
  },
  {
    method: 'post',
    path: '/imports/{id}',
    summary: 'imports an upload that is complete; `restore` brings back what was deleted before',
    body: object({ restore: { type: 'boolean' } }, []),
    subject: ({ id }, result) => `${JSON.stringify((result as { name?: string } | undefined)?.name ?? id)} started`,
    run: ({ parts: { uploads, audit }, id, body, keyId }) => {
      const { restore = false } = body as { restore?: boolean };
      return uploads.start(id, restore, ({ name, state, reports }) => {
        const taken = reports.reduce((sum, report) => sum + report.taken + report.updated, 0);
        return audit.record(keyId, 'POST /imports/{id}', `${JSON.stringify(name)}: ${taken} taken`, state);
      });
    },
  },
];

const cancelActions: readonly Action[] = [
  {
    method: 'delete',
    path: '/imports/{id}',
    summary:
      'cancels an upload and removes its file; an import that runs ends after its current batch, and what it has taken stays',
    subject: ({ id }, result) => `${JSON.stringify((result as { name?: string } | undefined)?.name ?? id)} cancelled`,
    run: async ({ parts: { uploads }, id }) => ({ ...(await uploads.cancel(id)), cancelled: true }),
  },
];

const searchActions: readonly Action[] = [
  {
    method: 'post',
    path: '/search/explain',
    summary: 'the SQL of a query on an archive in PostgreSQL, and the plan of PostgreSQL; nothing is run',
    body: object({ query: text(1024), query_type: { type: 'string', enum: ['Latest', 'Top'] } }, ['query']),
    run({ parts: { explain }, body }) {
      const { query, query_type: order = 'Latest' } = body as { query: string; query_type?: 'Latest' | 'Top' };
      if (explain === undefined)
        throw new ServiceError(501, 'only an archive in PostgreSQL explains its searches; this one is a SQLite file');
      return explain(parse(query), order);
    },
  },
];

/** All actions. The upload of a part, the sessions and the description are routes of their own. */
export const actions: readonly Action[] = [
  {
    method: 'get',
    path: '/overview',
    summary: 'the state of the service: archive, disk, journals, assistant, sources, the requests of the last hour',
    run: ({ parts }) => readOverview(parts, parts.history),
  },
  {
    method: 'get',
    path: '/requests/{id}',
    summary: 'the requests of the last `hour`, `day` or `week`, since the start of this instance, in 60 to 168 steps',
    run: ({ parts: { history }, id }) => {
      const span = spanNames.find((name) => name === id);
      if (span === undefined) throw notFound(`the span '${id}': there are ${spanNames.join(', ')}`);
      return { steps: history.figures(span) };
    },
  },
  ...keyActions,
  ...accountActions,
  ...followActions,
  ...webhookActions,
  ...eraseActions,
  ...importActions,
  ...cancelActions,
  ...searchActions,
  {
    method: 'get',
    path: '/backups',
    summary: 'the backups that were made here',
    run: async ({ parts: { backups } }) => ({ backups: await backups.list() }),
  },
  {
    method: 'post',
    path: '/backups',
    summary: 'makes a backup in the folder `backups` of the data directory, and verifies it',
    subject: (_call, result) => (result as { name?: string } | undefined)?.name ?? '',
    run: ({ parts: { backups } }) => backups.create(),
  },
  {
    method: 'get',
    path: '/audit',
    summary: 'the last 200 actions, newest first',
    run: ({ parts: { audit } }) => ({ entries: audit.latest(200) }),
  },
];

/** The error of an action for its caller. */
function actionError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreError) return unavailable('the data cannot be written at the moment: see the log', 5);
  // The commands throw plain errors with a message for the operator; any other error is a fault of the server.
  const isExpected = error instanceof AccountError || error instanceof TargetError;
  return error instanceof Error && (isExpected || error.constructor === Error) ? badRequest(error.message) : error;
}

/** Runs an action, and records it if it changes something. Rejects with ServiceError for an error of the caller. */
export async function runAction(action: Action, call: ActionCall): Promise<unknown> {
  const { audit } = call.parts;
  const name = `${action.method.toUpperCase()} ${action.path}`;
  let result: unknown;
  try {
    result = await action.run(call);
  } catch (thrown) {
    const error = actionError(thrown);
    const reason = error instanceof ServiceError ? error.message : 'internal error';
    const recorded = action.isDiscreet === true ? 'refused' : reason;
    if (action.subject) await audit.record(call.keyId, name, action.subject(call, undefined), recorded).catch(() => {});
    throw error;
  }
  if (action.subject) await audit.record(call.keyId, name, action.subject(call, result), 'ok').catch(rejectAudit);
  return result;
}

/** The action is done, but the record of it is missing; the caller must know that. */
function rejectAudit(): never {
  throw unavailable('the action is done, but the audit log cannot be written: see the log', 5);
}
