/** Targets on Bluesky: how the operator writes them, and the accounts that they mean. */
import { ServiceError } from '../../contract/service-error.ts';
import { fields, text } from '../../formats/recognised.ts';
import { SourceError, type ResolvedTarget, type Target } from '../../ports/live-source.ts';
import { compileQuery } from '../../search/language/compile.ts';
import { parse } from '../../search/language/parse.ts';
import { atUri, collections, isDid, isHandle, isRecordKey } from '../../domain/at-uri.ts';
import { DeclinedRequest } from './api.ts';
import { isHidden } from './history.ts';
import type { SourceParts } from './options.ts';

const source = 'bluesky';
const expected =
  'expected bluesky:HANDLE, bluesky:did:…, bluesky:list:AT-URI, bluesky:search:QUERY, bluesky:* or bluesky:*:en+de';

const invalid = (problem: string): SourceError => new SourceError(`${problem}: ${expected}`, { isPermanent: true });

/** Reads the part of a target behind `bluesky:`. Throws SourceError. */
export function parseTarget(written: string): Target {
  const value = written.trim();
  if (value === '*') return { source, kind: 'network', value: '' };
  if (value.startsWith('*:')) return { source, kind: 'network', value: languages(value.slice(2)) };
  if (value.startsWith('search:')) return { source, kind: 'search', value: query(value.slice(7).trim()) };
  if (value.startsWith('list:')) return { source, kind: 'list', value: listUri(value.slice(5)) };
  if (value.startsWith('did:')) {
    if (!isDid(value)) throw invalid(`'${shown(value)}' is not a DID`);
    return { source, kind: 'account', value };
  }
  const handle = value.replace(/^@/, '').toLowerCase();
  if (!isHandle(handle)) throw invalid(`'${shown(value)}' is not a handle such as alice.example.com`);
  return { source, kind: 'account', value: handle };
}

const shown = (value: string): string => value.slice(0, 100);

function languages(value: string): string {
  const all = value.toLowerCase().split('+');
  if (!all.every((language) => /^[a-z]{2,3}$/.test(language)))
    throw invalid(`'${shown(value)}' is not a list of languages such as en+de`);
  return [...new Set(all)].toSorted().join('+');
}

function query(value: string): string {
  try {
    compileQuery(parse(value));
  } catch (error) {
    if (error instanceof ServiceError) throw new SourceError(error.message, { isPermanent: true });
    throw error;
  }
  return value;
}

/** The at-uri of a list; its repository can be a handle. */
function listUri(value: string): string {
  const [, repository = '', name, key] = /^at:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(value) ?? [];
  const owner = repository.startsWith('did:') ? repository : repository.toLowerCase();
  if (name !== collections.list || !isRecordKey(key) || !(isDid(owner) || isHandle(owner)))
    throw invalid(`'${shown(value)}' is not the at-uri of a list`);
  return `at://${owner}/${name}/${key}`;
}

/** Finds the accounts of a target. Rejects with SourceError. */
export async function resolveTarget(parts: SourceParts, target: Target, signal: AbortSignal): Promise<ResolvedTarget> {
  switch (target.kind) {
    case 'network':
      return { target, title: 'the whole network', accounts: undefined };
    case 'search':
      return { target, title: `posts that match ${target.value}`, accounts: undefined };
    case 'list':
      return resolveList(parts, target, signal);
    case 'account':
      return resolveAccount(parts, target, signal);
  }
}

async function didOf({ api }: SourceParts, name: string, signal: AbortSignal): Promise<string> {
  const did = isDid(name) ? name : await api.resolveHandle(name, signal);
  if (did === undefined) throw new SourceError(`there is no Bluesky account @${name}`, { isPermanent: true });
  return did;
}

async function resolveAccount(parts: SourceParts, target: Target, signal: AbortSignal): Promise<ResolvedTarget> {
  const did = await didOf(parts, target.value, signal);
  const [view] = await parts.api.profiles([did], signal);
  if (view === undefined || view.did !== did)
    throw new SourceError(`the Bluesky account ${target.value} is not available`, { isPermanent: true });
  if (isHidden(parts, view)) {
    const reason = 'asks to be shown only to people who are signed in, or is withheld by the platform';
    throw new SourceError(`the Bluesky account ${target.value} ${reason}`, { isPermanent: true });
  }
  return { target, title: `@${text(view.handle) ?? did}`, accounts: [did] };
}

async function resolveList(parts: SourceParts, target: Target, signal: AbortSignal): Promise<ResolvedTarget> {
  const [, , owner = '', , rkey = ''] = target.value.split('/');
  const did = await didOf(parts, owner, signal);
  try {
    const uri = atUri({ did, collection: collections.list, rkey });
    const { title, members } = await parts.api.list(uri, signal);
    const shownMembers = members.filter((member) => !isHidden(parts, fields(member)));
    return { target, title: `the list ${title}`, accounts: shownMembers.map((member) => member.did).filter(isDid) };
  } catch (error) {
    if (!(error instanceof DeclinedRequest)) throw error;
    throw new SourceError(`there is no Bluesky list ${target.value}`, { isPermanent: true });
  }
}
