/**
 * The rules of the filtered stream. The tag of a rule says that this service made it; rules with other tags are left alone.
 * Several accounts share a rule. A change of the targets changes only the rules that it must.
 */
import { list, text } from '../../formats/recognised.ts';
import { SourceError } from '../../ports/live-source.ts';
import type { XApi } from './api.ts';
import { problemsOf, problemText, problemType } from './errors.ts';
import { isId } from './ids.ts';
import type { SourceParts } from './options.ts';

export const rulesRoute = '/2/tweets/search/stream/rules';
/** The limits of X. A query of recent search has less characters than a rule, and a target needs both. */
const maxRules = 1000;
const maxRuleLength = 1024;
export const maxQueryLength = 512;

const tagPrefix = 'social-data:';
const accountsTag = `${tagPrefix}accounts`;
const separator = ' OR ';

export interface Rule {
  readonly value: string;
  readonly tag: string;
}

export interface ExistingRule extends Rule {
  readonly id: string;
}

/** What the rules must deliver. */
export interface Wanted {
  /** Ids of accounts. A rule names the id, because a username can change. */
  readonly accounts: readonly string[];
  /** Queries by the text of their target. */
  readonly searches: ReadonlyMap<string, string>;
}

/** Joins accounts in queries of a maximum length. */
export function joinAccounts(accounts: readonly string[], maxLength: number): string[] {
  const queries: string[] = [];
  for (const account of accounts) {
    const part = `from:${account}`;
    const last = queries.at(-1);
    if (last !== undefined && last.length + separator.length + part.length <= maxLength)
      queries[queries.length - 1] = `${last}${separator}${part}`;
    else queries.push(part);
  }
  return queries;
}

/** The changes that bring the existing rules to what is wanted. */
export function ruleChanges(existing: readonly ExistingRule[], wanted: Wanted): { add: Rule[]; remove: string[] } {
  const own = existing.filter(({ tag }) => tag.startsWith(tagPrefix));
  const target = [...accountRules(own, wanted.accounts), ...searchRules(wanted.searches)];
  const keyOf = ({ tag, value }: Rule): string => `${tag}\n${value}`;
  const wantedKeys = new Set(target.map(keyOf));
  const kept = new Set<string>();
  const remove: string[] = [];
  for (const rule of own) {
    const key = keyOf(rule);
    if (wantedKeys.has(key) && !kept.has(key)) kept.add(key);
    else remove.push(rule.id);
  }
  return { add: target.filter((rule) => !kept.has(keyOf(rule))), remove };
}

/** The rules for accounts: existing ones without what is not wanted any more, and with new accounts where there is room. */
function accountRules(own: readonly ExistingRule[], accounts: readonly string[]): Rule[] {
  const missing = new Set(accounts);
  const groups = own
    .filter(({ tag }) => tag === accountsTag)
    .map(({ value }) =>
      value.split(separator).flatMap((part) => {
        const id = part.replace(/^from:/, '');
        return missing.delete(id) ? [id] : [];
      }),
    )
    .filter((group) => group.length > 0);
  const values = groups.map((group) => joinAccounts(group, maxRuleLength)[0] ?? '');
  for (const account of missing) {
    const part = `from:${account}`;
    const index = values.findIndex((value) => value.length + separator.length + part.length <= maxRuleLength);
    if (index === -1) values.push(part);
    else values[index] = `${values[index] ?? ''}${separator}${part}`;
  }
  return values.map((value) => ({ tag: accountsTag, value }));
}

const searchRules = (searches: ReadonlyMap<string, string>): Rule[] =>
  Array.from(searches, ([target, value]) => ({ tag: `${tagPrefix}${target}`, value }));

type RuleParts = Pick<SourceParts, 'api' | 'observer'>;

/**
 * Brings the rules at X to what is wanted. Returns the ids of the rules of others, which bring what no target wants. Rejects with
 * SourceError where no rule is left, or where there are too many.
 */
export async function syncRules(
  { api, observer }: RuleParts,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const existing = await readRules(api, signal);
  const { add, remove } = ruleChanges(existing, wanted);
  const total = existing.length + add.length - remove.length;
  if (total > maxRules)
    throw new SourceError(`X permits ${maxRules} rules; these targets need ${total} with the rules of others`, {
      isPermanent: true,
    });
  // New rules come first, so that nothing is missed, as long as both fit.
  const isRemovedFirst = existing.length + add.length > maxRules;
  if (isRemovedFirst) await removeRules(api, remove, signal);
  const problems = await addRules(api, add, signal);
  for (const _ of problems) observer.rejected('rule');
  if (!isRemovedFirst) await removeRules(api, remove, signal);
  if (total - problems.length <= 0)
    throw new SourceError(`X accepts none of the rules: ${problems[0] ?? 'no target needs one'}`, {
      isPermanent: true,
    });
  // X has each value once: a rule of others can be the one that brings what a target wants.
  const values = new Set(add.map(({ value }) => value));
  const foreign = existing.filter(({ tag, value }) => !tag.startsWith(tagPrefix) && !values.has(value));
  return new Set(foreign.map(({ id }) => id));
}

async function readRules(api: XApi, signal: AbortSignal): Promise<ExistingRule[]> {
  const response = await api.json({ route: rulesRoute }, signal);
  return list(response.data).flatMap(({ id, value, tag }) =>
    isId(id) && typeof value === 'string' ? [{ id, value, tag: text(tag) ?? '' }] : [],
  );
}

/** Adds rules. Returns what X says of those that it rejects. A rule that exists already is no problem. */
async function addRules(api: XApi, add: readonly Rule[], signal: AbortSignal): Promise<string[]> {
  if (add.length === 0) return [];
  const response = await api.json({ method: 'POST', route: rulesRoute, body: { add } }, signal);
  return problemsOf(response)
    .filter((problem) => problemType(problem) !== 'duplicate-rules')
    .map((problem) => api.redact(problemText(problem)));
}

async function removeRules(api: XApi, ids: readonly string[], signal: AbortSignal): Promise<void> {
  if (ids.length === 0) return;
  const response = await api.json({ method: 'POST', route: rulesRoute, body: { delete: { ids } } }, signal);
  const [problem] = problemsOf(response);
  // A rule that stays would deliver posts that no target needs, and X bills them.
  if (problem !== undefined) throw new SourceError(`X does not remove a rule: ${api.redact(problemText(problem))}`);
}
