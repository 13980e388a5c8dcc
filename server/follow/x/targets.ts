/** Targets on X: how the operator writes them, and the accounts that they mean. */
import { fields, text } from '../../formats/recognised.ts';
import { SourceError, type ResolvedTarget, type Target } from '../../ports/live-source.ts';
import { problemsOf, problemText, problemType, XError } from './errors.ts';
import { profiles } from './fields.ts';
import { isId } from './ids.ts';
import type { SourceParts } from './options.ts';
import { maxQueryLength, rulesRoute } from './rules.ts';

const source = 'x';
const permanent = (message: string): SourceError => new SourceError(message, { isPermanent: true });

/** Reads the part of a target behind `x:`. Throws SourceError. */
export function parseTarget(written: string): Target {
  const part = written.trim();
  if (part.startsWith('search:')) {
    const value = part.slice('search:'.length).trim();
    if (value === '') throw permanent('x:search: needs a query: expected x:search:QUERY');
    if (value.length > maxQueryLength)
      throw permanent(`a query on X has at most ${maxQueryLength} characters; this one has ${value.length}`);
    return { source, kind: 'search', value };
  }
  const name = part.replace(/^@/, '').toLowerCase();
  if (!/^[a-z0-9_]{1,15}$/.test(name))
    throw permanent(`'${part.slice(0, 100)}' is not a target on X: expected x:USERNAME or x:search:QUERY`);
  return { source, kind: 'account', value: name };
}

/** The text of a target in rules and positions. */
export const targetText = ({ kind, value }: Target): string => (kind === 'search' ? `x:search:${value}` : `x:${value}`);

/** Finds the account of a target; checks the query of a search. Rejects with SourceError. */
export async function resolveTarget(parts: SourceParts, target: Target, signal: AbortSignal): Promise<ResolvedTarget> {
  if (target.kind === 'search') {
    await checkQuery(parts, target.value, signal);
    return { target, title: `posts that match ${target.value}`, accounts: undefined };
  }
  if (target.kind !== 'account') throw permanent('X has targets of the forms x:USERNAME and x:search:QUERY');
  const response = await parts.api.json(
    { route: '/2/users/by/username/:username', path: { username: target.value }, query: profiles },
    signal,
  );
  const user = fields(response.data);
  if (!isId(user.id)) {
    const [problem = {}] = problemsOf(response);
    const isSuspended = problemType(problem) !== 'resource-not-found' && 'type' in problem;
    throw permanent(`the X account @${target.value} ${isSuspended ? 'is not available' : 'does not exist'}`);
  }
  if (user.protected === true) throw permanent(`the X account @${target.value} is protected`);
  return { target, title: `@${text(user.username) ?? target.value}`, accounts: [user.id] };
}

/** Lets X check a query, without a rule and without a read. A plan without rules has no check. */
async function checkQuery({ api }: SourceParts, value: string, signal: AbortSignal): Promise<void> {
  try {
    const call = { method: 'POST', route: rulesRoute, query: { dry_run: 'true' }, body: { add: [{ value }] } } as const;
    const response = await api.json(call, signal);
    const problem = problemsOf(response).find((each) => problemType(each) !== 'duplicate-rules');
    if (problem !== undefined) throw permanent(`X rejects the query '${value}': ${api.redact(queryProblem(problem))}`);
  } catch (error) {
    if (error instanceof XError && error.status === 400)
      throw permanent(`X rejects the query '${value}': ${error.message}`);
    if (!(error instanceof XError && error.status === 403)) throw error;
  }
}

function queryProblem(problem: Record<string, unknown>): string {
  const details: unknown[] = Array.isArray(problem.details) ? problem.details : [];
  return problemText({ title: problem.title, detail: text(problem.detail) ?? details.map(String).join('; ') });
}
