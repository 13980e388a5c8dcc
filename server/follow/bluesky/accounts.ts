/** What an event about an account requires of the AppView: follows again, a new handle, an account that is back. */
import { fields, type Fields } from '../../formats/recognised.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { accountHistory, followRecords, isHidden, withdrawal } from './history.ts';
import { withKnownRecords, pause, type PartsWithRecords, type SourceParts } from './options.ts';
import { userOfView } from '../../formats/bluesky/profiles.ts';
import { accountId } from '../../formats/bluesky/ids.ts';

/** Receives records for the next batch. */
export type Emit = (record: ArchiveRecord) => void;

/** The AppView can lag behind the stream: the delays before the first request and before each retry, in milliseconds. */
const followDelays = [5_000, 20_000, 60_000] as const;
const profileDelays = [0, 3_000, 15_000] as const;
/** The history of an account that is back. */
const reinstatedTweets = 200;

/** Reads the follows of an account again, after the end of one whose record the source does not know. */
export async function relistFollows(parts: SourceParts, did: string, emit: Emit, signal: AbortSignal): Promise<void> {
  for (const delay of followDelays) {
    await pause(parts, delay, signal);
    const records = await followRecords(parts, did, signal);
    for (const record of records ?? []) emit(record);
    if (records === undefined || records.some(({ kind }) => kind === 'unfollow')) return;
  }
}

/**
 * Reads the profile of an account again after its identity changed. `handle`: the handle in the event. The profile of
 * the AppView is used, and it is requested again while it has another handle.
 */
export async function renewProfile(
  parts: SourceParts,
  { did, handle }: { readonly did: string; readonly handle: string | undefined },
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const { known } = await withKnownRecords(parts, [did]);
  const before = known.profile(accountId(did))?.username;
  for (const delay of profileDelays) {
    if (delay > 0) await pause(parts, delay, signal);
    const view = await profileOf(parts, did, signal);
    if (view === undefined) continue;
    emitProfile(await withKnownRecords(parts, [view]), view, emit);
    const now = String(view.handle).toLowerCase();
    if (handle === undefined ? now !== before : now === handle.toLowerCase()) return;
  }
}

/** Permits a withdrawn account again, where it is to be shown, and reads its history. */
export async function reinstate(parts: SourceParts, did: string, emit: Emit, signal: AbortSignal): Promise<void> {
  const id = accountId(did);
  for (const delay of profileDelays) {
    if (delay > 0) await pause(parts, delay, signal);
    const view = await profileOf(parts, did, signal);
    if (view === undefined) continue;
    if (isHidden(parts, view)) return;
    emit({ kind: 'reinstate', user_id: id });
    emitProfile(await withKnownRecords(parts, [view]), view, emit);
    const request = { limit: reinstatedTweets, reconcile: false, signal };
    for await (const { records } of accountHistory(parts, { did, id }, request)) for (const each of records) emit(each);
    return;
  }
}

async function profileOf({ api }: SourceParts, did: string, signal: AbortSignal): Promise<Fields | undefined> {
  const [view] = await api.profiles([did], signal);
  return view?.did === did ? fields(view) : undefined;
}

/** The profile of a view; or the withdrawal of an account that must not be shown. */
export function emitProfile(parts: PartsWithRecords, view: Fields, emit: Emit): void {
  const { known, clock, context, observer } = parts;
  const user = userOfView(view, 'detailed', clock.now(), context);
  if (user === undefined) return;
  const knownDid = known.profile(user.id)?.did;
  if (knownDid !== undefined && knownDid !== user.did) observer.rejected('id taken');
  else if (!isHidden(parts, view)) emit({ kind: 'user', user });
  else if (known.hasAnythingOf(user.id)) emit(withdrawal(user.id, clock.now()));
}
