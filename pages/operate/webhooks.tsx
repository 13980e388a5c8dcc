/** The saved searches of all keys: the state of their webhooks, tests, the last attempts. */
import { plural, useState, type VNode } from '../kit/frame.ts';
import type { ListedSearch } from '../../server/operate/webhook-actions.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { call, usePolled } from './api.ts';
import { Confirmed, moment, Reason, Section, Table, useDoing } from './parts.tsx';

type Attempt = Schemas['WebhookAttempt'];

/** How often the state is read again, in milliseconds. */
const everyMs = 10_000;

const resultOf = ({ status, error }: Attempt): string => error ?? `accepted with ${status}`;

function stateOf({ delivery, isOwnerValid }: ListedSearch): string {
  if (!isOwnerValid) return 'ended: its key is not valid';
  if (delivery === null) return 'no webhook';
  const { state, reason, failures, next_attempt_at: next } = delivery;
  if (state === 'paused') return `paused: ${reason ?? 'no reason'}`;
  if (state !== 'retrying') return state;
  const nextAttempt = next === null ? '' : `, next attempt ${moment(next)}`;
  return `${plural(failures, 'failure')}: ${reason ?? 'no reason'}${nextAttempt}`;
}

/** The last attempts of a webhook. */
function Attempts({ id, name }: { id: string; name: string }): VNode {
  const { data, error } = usePolled<{ readonly attempts: readonly Attempt[] }>(
    `/webhook-attempts/${encodeURIComponent(id)}`,
    everyMs,
  );
  return (
    <div>
      <h3>Last attempts of {name}</h3>
      <Table
        caption={`Last attempts of ${name}, newest first`}
        heads={['Time', 'Event', 'Result', 'Duration', 'webhook-id']}
        rows={(data?.attempts ?? []).map((attempt) => [
          moment(attempt.at),
          attempt.event,
          resultOf(attempt),
          `${attempt.duration_ms} ms`,
          <code key="id">{attempt.webhook_id}</code>,
        ])}
        empty="None yet."
      />
      <Reason text={error?.message ?? ''} />
    </div>
  );
}

/** Runs an action that says what it has done. */
type Act = (action: () => Promise<string>) => void;

/** The buttons of a saved search. */
function Actions({
  search: { id, name, delivery },
  isBusy,
  isShown,
  act,
  onShow,
}: {
  search: ListedSearch;
  isBusy: boolean;
  isShown: boolean;
  act: Act;
  onShow: (id: string | undefined) => void;
}): VNode {
  const at = encodeURIComponent(id);
  const test = async (): Promise<string> =>
    `Test of ${name}: ${resultOf(await call<Attempt>('POST', `/webhook-tests/${at}`))}.`;
  const resume = async (): Promise<string> => {
    await call('POST', `/webhook-resumptions/${at}`);
    return `${name} is tried again.`;
  };
  const remove = async (): Promise<string> => {
    await call('DELETE', `/searches/${at}`);
    return `${name} is deleted.`;
  };
  return (
    <span class="row">
      {delivery !== null && (
        <button type="button" class="small" disabled={isBusy} onClick={() => act(test)}>
          Send test
        </button>
      )}
      {delivery !== null && delivery.state !== 'active' && (
        <button type="button" class="small" disabled={isBusy} onClick={() => act(resume)}>
          Resume
        </button>
      )}
      {delivery !== null && (
        <button type="button" class="small" aria-expanded={isShown} onClick={() => onShow(isShown ? undefined : id)}>
          Attempts
        </button>
      )}
      <Confirmed name="Delete" question={`Delete ${name}?`} disabled={isBusy} onYes={() => act(remove)} />
    </span>
  );
}

export function Webhooks(): VNode {
  const { data, error, reload } = usePolled<{ readonly searches: readonly ListedSearch[] }>('/searches', everyMs);
  const { isBusy, fault, run } = useDoing();
  const [done, setDone] = useState('');
  const [shown, setShown] = useState<string | undefined>(undefined);
  const searches = data?.searches ?? [];
  const act: Act = (action) =>
    run(async () => {
      setDone('');
      setDone(await action());
      reload();
    });
  const selected = searches.find(({ id }) => id === shown);
  return (
    <Section id="webhooks" title="Saved searches and webhooks">
      <Table
        caption="Saved searches"
        heads={['Name', 'Query', 'Key', 'Webhook', 'State', 'Last success', 'Actions']}
        rows={searches.map((search) => {
          const { id, name, query, owner, origin, delivery } = search;
          const last = delivery?.last_success_at;
          return [
            name,
            query,
            <code key="owner">{owner}</code>,
            origin ?? 'none',
            stateOf(search),
            last == null ? 'never' : moment(last),
            <Actions
              key="actions"
              search={search}
              isBusy={isBusy}
              isShown={shown === id}
              act={act}
              onShow={setShown}
            />,
          ];
        })}
        empty="No key has saved a search."
      />
      <Reason text={fault || (error?.message ?? '')} />
      <p role="status">{done}</p>
      {selected !== undefined && <Attempts key={selected.id} id={selected.id} name={selected.name} />}
    </Section>
  );
}
