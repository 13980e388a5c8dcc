/** The accounts of the assistant: add, test, remove. */
import { full, useEffect, useState, type VNode } from '../kit/frame.ts';
import type { ListedAccount } from '../../server/assistant/account-registry.ts';
import type { LocalServer } from '../../server/assistant/local-servers.ts';
import { call, usePolled } from './api.ts';
import { Confirmed, Field, moment, Reason, Section, Table, useDoing } from './parts.tsx';

const states = {
  untested: 'not tested yet',
  available: 'available',
  cooling: 'waits',
  incapable: 'cannot answer',
} as const;

function stateOf({ pool }: ListedAccount): string {
  if (pool === undefined) return 'not in use: ASSISTANT selects another provider';
  const reason = pool.reason === null ? '' : ` (${pool.reason})`;
  return `${states[pool.state]}${reason}${pool.until === null ? '' : ` until ${moment(pool.until)}`}`;
}

function AddAccount({ onDone }: { onDone: () => void }): VNode {
  const { isBusy, fault, run } = useDoing();
  const [done, setDone] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
    const request = Object.fromEntries(entries.filter(([, value]) => value !== ''));
    run(async () => {
      setDone('');
      const added = await call<ListedAccount>('POST', '/accounts', request);
      form.reset();
      setDone(`Account ${added.id}: ${stateOf(added)}.`);
      onDone();
    });
  };
  return (
    <details class="action">
      <summary>Add an account</summary>
      <form onSubmit={submit} autocomplete="off">
        <div class="fields">
          <Field
            form="account"
            name="base_url"
            label="Endpoint"
            hint="OpenAI-compatible, such as https://api.x.ai/v1"
          />
          <Field
            form="account"
            name="api_key"
            label="Its key"
            hint="stored, and never shown again; empty: none"
            isSecret
          />
          <Field form="account" name="model" label="Model" hint="empty: the one of the endpoint" />
          <Field form="account" name="name" label="Name in this list" hint="empty: none" />
          <div class="field">
            <label for="account-api">Form of the API</label>
            <select id="account-api" name="api" aria-describedby="account-api-hint">
              <option value="">found out</option>
              <option>responses</option>
              <option>chat</option>
              <option>messages</option>
            </select>
            <span id="account-api-hint" class="hint">
              the test costs one question
            </span>
          </div>
        </div>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Adding and testing …' : 'Add'}
        </button>
        <Reason text={fault} />
      </form>
      <p role="status">{done}</p>
    </details>
  );
}

/** Looks for model servers on the machine of the service, and adds the one that the operator chooses. */
function ModelServers({ onDone }: { onDone: () => void }): VNode {
  const { isBusy, fault, run } = useDoing();
  const [found, setFound] = useState<readonly LocalServer[]>();
  const [done, setDone] = useState('');
  const look = (): void =>
    run(async () => setFound((await call<{ servers: readonly LocalServer[] }>('GET', '/model-servers')).servers));
  const add = (url: string, model: string): void =>
    run(async () => {
      const added = await call<ListedAccount>('POST', '/model-servers', { base_url: url, model });
      setDone(`Account ${added.id}: ${stateOf(added)}.`);
      onDone();
    });
  // A link such as that of the page Ask has already asked for the look.
  const isWanted = location.hash === '#model-servers';
  useEffect(() => {
    if (isWanted) look();
  }, []);
  return (
    <details class="action" id="model-servers" open={isWanted}>
      <summary>Use a model server on this machine</summary>
      <p class="hint">
        Looks for Ollama, LM Studio, llama.cpp and vLLM at their usual ports, by asking for their models. Nothing else
        is sent to them before you add one; from then on it answers the questions.
      </p>
      <button type="button" disabled={isBusy} onClick={look}>
        Look for model servers
      </button>
      <ul>
        {(found ?? []).flatMap(({ name, base_url: url, models }) =>
          models.map((model) => (
            <li key={`${url} ${model}`}>
              {name}: {model}{' '}
              <button type="button" class="small" disabled={isBusy} onClick={() => add(url, model)}>
                Add
              </button>
            </li>
          )),
        )}
      </ul>
      <Reason text={fault} />
      <p role="status">{done || (found?.length === 0 ? 'No model server answers.' : '')}</p>
    </details>
  );
}

/** By name, and those without one by id; numbers in names count as numbers. */
const byName = (a: ListedAccount, b: ListedAccount): number =>
  (a.name || a.id).localeCompare(b.name || b.id, 'en', { numeric: true }) ||
  a.id.localeCompare(b.id, 'en', { numeric: true });

export function Accounts(): VNode {
  const { data, error, reload } = usePolled<{ accounts: readonly ListedAccount[] }>('/accounts', 0);
  const { isBusy, fault, run } = useDoing();
  const change = (method: 'POST' | 'DELETE', id: string): void =>
    run(async () => {
      await call(method, `/accounts/${encodeURIComponent(id)}`);
      reload();
    });
  return (
    <Section id="accounts" title="Accounts of the assistant">
      <Table
        caption="Accounts"
        heads={['Id', 'Name', 'Endpoint', 'Model', 'State', 'Used in 24 hours', 'Actions']}
        rows={(data?.accounts ?? []).toSorted(byName).map((account) => {
          const { id, name = '', base_url: url = 'in this process', model = '', pool, source } = account;
          return [
            <code key="id">{id}</code>,
            name,
            url,
            model,
            stateOf(account),
            pool === undefined ? '' : `${full(pool.used)} of ${full(pool.used + pool.remaining)}`,
            <span key="actions" class="row">
              {pool !== undefined && (
                <button type="button" class="small" disabled={isBusy} onClick={() => change('POST', id)}>
                  Test
                </button>
              )}
              {source === 'stored' && (
                <Confirmed
                  name="Remove"
                  question={`Remove account ${id}?`}
                  disabled={isBusy}
                  onYes={() => change('DELETE', id)}
                />
              )}
              {source === 'file' && <span class="hint">from ASSISTANT_ACCOUNTS</span>}
            </span>,
          ];
        })}
        empty="There are no accounts."
      />
      <Reason text={fault || (error?.message ?? '')} />
      <ModelServers onDone={reload} />
      <AddAccount onDone={reload} />
    </Section>
  );
}
