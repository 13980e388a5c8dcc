/** The keys: create, see, revoke. */
import { CopyButton, useState, type VNode } from '../kit/frame.ts';
import type { KeyEntry } from '../../server/ports/keys.ts';
import { call, usePolled } from './api.ts';
import { Confirmed, Field, moment, Reason, Section, Table, useDoing } from './parts.tsx';

interface KeyList {
  readonly keys: readonly KeyEntry[];
  readonly scopes: Readonly<Record<string, string>>;
}

interface NewKey {
  readonly id: string;
  readonly key: string;
}

function CreateKey({ scopes, onDone }: { scopes: KeyList['scopes']; onDone: () => void }): VNode {
  const { isBusy, fault, run } = useDoing();
  const [made, setMade] = useState<NewKey | undefined>(undefined);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const chosen = data.getAll('scope').map(String).join(',');
    const texts = ['name', 'rate', 'expires'].map((name) => [name, String(data.get(name) ?? '').trim()] as const);
    const request = Object.fromEntries([...texts, ['scopes', chosen] as const].filter(([, text]) => text !== ''));
    run(async () => {
      setMade(await call<NewKey>('POST', '/keys', request));
      form.reset();
      onDone();
    });
  };
  return (
    <details class="action">
      <summary>Create a key</summary>
      <form onSubmit={submit} autocomplete="off">
        <div class="fields">
          <Field form="key" name="name" label="Name" hint="the app or person that uses it" />
          <Field form="key" name="rate" label="Rate limit" hint="such as 600/1m; empty: the usual one" />
          <Field form="key" name="expires" label="Expires" hint="such as 30d or 2027-01-31; empty: never" />
        </div>
        <fieldset>
          <legend>Scopes; none chosen: all but admin</legend>
          {Object.entries(scopes).map(([scope, opens]) => (
            <label key={scope} class="check">
              <input type="checkbox" name="scope" value={scope} />
              <span>
                <b>{scope}</b>: {opens}
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit" class="primary" disabled={isBusy}>
          Create
        </button>
        <Reason text={fault} />
      </form>
      {made !== undefined && (
        <div class="made" role="status">
          <p>Key {made.id}. Copy it now: it cannot be shown again.</p>
          <code class="secret">{made.key}</code> <CopyButton text={() => made.key} name="Copy the key" />
        </div>
      )}
    </details>
  );
}

export function Keys(): VNode {
  const { data, error, reload } = usePolled<KeyList>('/keys', 0);
  const { isBusy, fault, run } = useDoing();
  const revoke = (id: string): void =>
    run(async () => {
      await call('DELETE', `/keys/${encodeURIComponent(id)}`);
      reload();
    });
  return (
    <Section id="keys" title="Keys">
      <Table
        caption="Stored keys"
        heads={['Name', 'Id', 'Scopes', 'Rate', 'Expires', 'Last used', 'Action']}
        rows={(data?.keys ?? []).map(({ id, name, scopes, rate, expires_at: expires, last_used_at: used }) => [
          name,
          <code key="id">{id}</code>,
          scopes?.join(', ') ?? 'all but admin',
          rate ?? 'usual',
          expires === undefined ? 'never' : moment(expires),
          used === undefined ? 'never' : moment(used),
          <Confirmed
            key="revoke"
            name="Revoke"
            question={`Revoke ${name}?`}
            disabled={isBusy}
            onYes={() => revoke(id)}
          />,
        ])}
        empty="There are no stored keys."
      />
      <Reason text={fault || (error?.message ?? '')} />
      <CreateKey scopes={data?.scopes ?? {}} onDone={reload} />
    </Section>
  );
}
