/** What is followed on live platforms: follow, see, remove. */
import { dayOf, full, plural, useState, type VNode } from '../kit/frame.ts';
import type { FollowListing, ListedTarget } from '../../server/follow/follow-service.ts';
import type { TargetStatus } from '../../server/follow/status.ts';
import type { EraseCounts } from '../../server/maintenance/erase/erasure.ts';
import { call, usePolled } from './api.ts';
import { Confirmed, moment, Reason, Section, Table, useDoing, type Doing } from './parts.tsx';

/** How often the state is read again, in milliseconds. */
const everyMs = 10_000;

const states: Readonly<Record<TargetStatus['state'], string>> = {
  waiting: 'not found yet',
  backfilling: 'its history is being read',
  following: 'followed',
  failed: 'failed',
};

const stateOf = ({ state, error }: TargetStatus): string =>
  `${states[state]}${error === undefined ? '' : `: ${error}`}`;

function postsOf({ isCounted, tweets, oldest, newest }: ListedTarget): string {
  if (!isCounted) return 'not counted';
  return oldest === undefined || newest === undefined
    ? 'none'
    : `${full(tweets)}, ${dayOf(oldest)} to ${dayOf(newest)}`;
}

/** Removes a target: alone, or with its data after a preview. */
function Removal({ target, doing, onDone }: { target: string; doing: Doing; onDone: (done: string) => void }): VNode {
  const { isBusy, run } = doing;
  const [counts, setCounts] = useState<EraseCounts | undefined>(undefined);
  const targets = [target];
  const remove = (expected?: { tweets: number; users: number }): void =>
    run(async () => {
      const body = expected === undefined ? { targets } : { targets, expected };
      const result = await call<{ off_disk_by: string | null }>('POST', '/follow/remove', body);
      const gone = result.off_disk_by === null ? '' : ` Off the disk by ${moment(result.off_disk_by)}.`;
      onDone(`No longer follows ${target}.${gone}`);
    });
  if (counts !== undefined) {
    const { tweets, users } = counts;
    return (
      <span class="row">
        <Confirmed
          name={`Erase ${plural(tweets, 'tweet')} and ${plural(users, 'account')} …`}
          question={`Stop to follow ${target}, and erase ${plural(tweets, 'tweet')} for ever?`}
          disabled={isBusy}
          onYes={() => remove({ tweets, users })}
        />
        <button type="button" class="small" onClick={() => setCounts(undefined)}>
          Keep it
        </button>
      </span>
    );
  }
  const preview = (): void =>
    run(async () => setCounts(await call<EraseCounts>('POST', '/follow/preview', { targets })));
  return (
    <span class="row">
      <Confirmed name="Remove" question={`Stop to follow ${target}?`} disabled={isBusy} onYes={() => remove()} />
      <button type="button" class="small" disabled={isBusy} onClick={preview}>
        Remove with its data …
      </button>
    </span>
  );
}

/** The targets that an error suggests. */
const suggestionsIn = (fault: string): string[] =>
  [.../(?:Did you mean|or) '((?:bluesky|x):[^']+)'/g[Symbol.matchAll](fault)].map(([, target = '']) => target);

function FollowForm({ onDone }: { onDone: (done: string) => void }): VNode {
  const { isBusy, fault, run } = useDoing();
  const [target, setTarget] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    run(async () => {
      const body = { targets: [target.trim()] };
      const result = await call<{ targets: readonly TargetStatus[] }>('POST', '/follow', body);
      setTarget('');
      onDone(result.targets.map((each) => `${each.title ?? each.target}: ${stateOf(each)}.`).join(' '));
    });
  };
  return (
    <form onSubmit={submit} autocomplete="off">
      <label for="follow-target">Follow an account, a list or a search</label>
      <div class="row">
        <input
          id="follow-target"
          type="text"
          value={target}
          spellcheck={false}
          placeholder="bluesky:alice.example.com"
          aria-describedby="follow-hint"
          onInput={(event) => setTarget(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isBusy || target.trim() === ''}>
          {isBusy ? 'Looking for it …' : 'Follow'}
        </button>
      </div>
      <p class="hint" id="follow-hint">
        bluesky:HANDLE, bluesky:list:AT-URI, bluesky:search:QUERY, bluesky:* (the whole network), x:USERNAME,
        x:search:QUERY
      </p>
      <Reason text={fault} />
      {suggestionsIn(fault).map((suggestion) => (
        <button key={suggestion} type="button" class="small" onClick={() => setTarget(suggestion)}>
          Use ‘{suggestion}’
        </button>
      ))}
    </form>
  );
}

function TokenForm(): VNode {
  const { isBusy, fault, run } = useDoing();
  const [done, setDone] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const token = String(new FormData(form).get('token') ?? '').trim();
    run(async () => {
      setDone('');
      await call('POST', '/follow/token', { source: 'x', token });
      form.reset();
      setDone('The token of X is stored.');
    });
  };
  return (
    <details class="action">
      <summary>Token of X</summary>
      <form onSubmit={submit} autocomplete="off">
        <div class="field">
          <label for="follow-token">Bearer token</label>
          <input id="follow-token" name="token" type="password" autocomplete="off" aria-describedby="token-hint" />
          <span id="token-hint" class="hint">
            stored in the place of the last one, and never shown again
          </span>
        </div>
        <button type="submit" disabled={isBusy}>
          Store
        </button>
        <Reason text={fault} />
      </form>
      <p role="status">{done}</p>
    </details>
  );
}

const byTarget = (a: ListedTarget, b: ListedTarget): number =>
  a.target.localeCompare(b.target, 'en', { numeric: true });

export function Follow(): VNode {
  const { data, error, reload } = usePolled<FollowListing>('/follow', everyMs);
  const doing = useDoing();
  const [done, setDone] = useState('');
  const finish = (text: string): void => {
    setDone(text);
    reload();
  };
  return (
    <Section id="follow" title="Live platforms">
      {(data?.sources ?? []).map(({ title, connected, lagMs, queue, targets, error: fault }) => (
        <div key={title}>
          <h3>
            {title}: {connected ? 'connected' : 'not connected'}
          </h3>
          <p class="hint">
            {full(queue)} records wait
            {lagMs === undefined ? '' : `, ${(lagMs / 1000).toFixed(1)} s behind`}
            {fault === undefined ? '' : `: ${fault}`}
          </p>
          <Table
            caption={`Targets on ${title}`}
            heads={['Target', 'State', 'Posts here', 'Actions']}
            rows={targets
              .toSorted(byTarget)
              .map((target) => [
                target.title === undefined ? target.target : `${target.target} (${target.title})`,
                stateOf(target),
                postsOf(target),
                target.isConfigured ? (
                  <span class="hint">from FOLLOW or --follow</span>
                ) : (
                  <Removal key={target.target} target={target.target} doing={doing} onDone={finish} />
                ),
              ])}
            empty="Nothing."
          />
        </div>
      ))}
      {data !== undefined && data.sources.length === 0 && <p class="hint">Nothing is followed.</p>}
      <Reason text={doing.fault || (error?.message ?? '')} />
      <p role="status">{done}</p>
      <FollowForm onDone={finish} />
      <TokenForm />
    </Section>
  );
}
