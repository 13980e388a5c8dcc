/** The actions on what is followed on live platforms, by the rules of `npm run follow`. */
import { badRequest, ServiceError } from '../contract/service-error.ts';
import { previewOf, purgeRequests } from '../maintenance/erase/purge-requests.ts';
import type { EraseCounts, EraseRequest } from '../maintenance/erase/erasure.ts';
import type { Action, ActionCall, OperateParts } from './action.ts';
import { expectedCounts, object, text } from './body.ts';

const targets = { type: 'array', minItems: 1, maxItems: 100, items: text(1200) };

interface TargetsBody {
  readonly targets: readonly string[];
}

interface RemoveBody extends TargetsBody {
  /** With it, the accounts of the targets are erased too. */
  readonly expected?: { readonly tweets: number; readonly users: number };
}

const targetsOf = ({ body }: ActionCall): readonly string[] => (body as TargetsBody).targets;

async function purged({ follow }: OperateParts, removed: readonly string[]): Promise<EraseRequest[]> {
  const accounts = await follow.userIdsOf(removed);
  return purgeRequests(accounts.values(), await follow.postsOf(removed));
}

/** Stops to follow targets. Erases their data if it still is what the preview counted; throws 409 otherwise. */
async function remove(
  parts: OperateParts,
  { targets: removed, expected }: RemoveBody,
): Promise<{ removed: readonly string[]; erased: EraseCounts | null; off_disk_by: string | null }> {
  const { follow, eraser } = parts;
  const requests = expected === undefined ? [] : await purged(parts, removed);
  if (expected !== undefined) {
    const { tweets, users } = await previewOf(eraser, requests);
    if (tweets !== expected.tweets || users !== expected.users)
      throw new ServiceError(409, `this would erase ${tweets} tweets and ${users} accounts now: look at a new preview`);
  }
  const result = await follow.remove(removed, expected !== undefined);
  const erased = { tweets: 0, users: 0, relations: 0, conversations: 0 };
  let offDiskBy: string | null = null;
  for (const request of requests) {
    const report = await eraser.erase(request);
    for (const name of ['tweets', 'users', 'relations', 'conversations'] as const) erased[name] += report.erased[name];
    offDiskBy = report.off_disk_by;
  }
  return { removed: result.removed, erased: expected === undefined ? null : erased, off_disk_by: offDiskBy };
}

export const followActions: readonly Action[] = [
  {
    method: 'get',
    path: '/follow',
    summary: 'what is followed: state, posts in the archive, errors',
    run: ({ parts: { follow } }) => follow.list(),
  },
  {
    method: 'post',
    path: '/follow',
    summary: 'follows targets, and waits up to 10 seconds until the platform has found them',
    body: object({ targets }, ['targets']),
    subject: (call) => targetsOf(call).join(', '),
    run: async ({ parts: { follow }, body }) => {
      const added = await follow.add((body as TargetsBody).targets);
      return { targets: await follow.resolutions(added) };
    },
  },
  {
    method: 'post',
    path: '/follow/preview',
    summary: 'counts what a removal of targets with their data erases; changes nothing',
    body: object({ targets }, ['targets']),
    run: async (call) => previewOf(call.parts.eraser, await purged(call.parts, targetsOf(call))),
  },
  {
    method: 'post',
    path: '/follow/remove',
    summary:
      'stops to follow targets; with `expected`, the counts of the preview, it also erases their accounts and posts',
    body: object({ targets, expected: expectedCounts }, ['targets']),
    isDiscreet: true,
    // An erasure leaves no name.
    subject: (call) => {
      const { targets: removed, expected } = call.body as RemoveBody;
      return expected === undefined
        ? removed.join(', ')
        : `${removed.length} targets, ${expected.tweets} tweets, ${expected.users} accounts`;
    },
    run: ({ parts, body }) => remove(parts, body as RemoveBody),
  },
  {
    method: 'post',
    path: '/follow/token',
    summary: 'stores the token of a platform; no response has it',
    body: object({ source: { enum: ['x'] }, token: text(1024) }, ['source', 'token']),
    subject: ({ body }) => (body as { source: string }).source,
    run: async ({ parts: { follow }, body }) => {
      const { source, token } = body as { source: string; token: string };
      if (!/^[!-~]{8,1024}$/.test(token))
        throw badRequest("'token' must be 8 to 1024 printable characters without spaces");
      await follow.setToken(source, token);
      return { source, stored: true };
    },
  },
];
