/** Backup, erasure, and the audit log. */
import { plural, useState, type VNode } from '../kit/frame.ts';
import type { AuditEntry } from '../../server/operate/audit-log.ts';
import type { BackupView } from '../../server/operate/backups.ts';
import { call, usePolled } from './api.ts';
import { Confirmed, moment, Reason, Section, Table, useDoing } from './parts.tsx';

export function Backups(): VNode {
  const { data, reload } = usePolled<{ backups: readonly BackupView[] }>('/backups', 0);
  const { isBusy, fault, run } = useDoing();
  const [summary, setSummary] = useState('');
  const make = (): void =>
    run(async () => {
      setSummary('');
      setSummary((await call<{ summary: string }>('POST', '/backups')).summary);
      reload();
    });
  return (
    <Section id="backups" title="Backups">
      <p class="hint">
        Copies in the folder <code>backups</code> of the data directory. Each is read back before it counts. Copy them
        to another disk.
      </p>
      <button type="button" class="primary" disabled={isBusy} onClick={make}>
        {isBusy ? 'Making a backup …' : 'Back up now'}
      </button>
      <p role="status">{summary}</p>
      <Reason text={fault} />
      <Table
        caption="Backups made here"
        heads={['Backup', 'Complete at']}
        rows={(data?.backups ?? []).map(({ name, at }) => [<code key="name">{name}</code>, moment(at)])}
        empty="None was made here."
      />
    </Section>
  );
}

interface Counts {
  readonly tweets: number;
  readonly users: number;
  readonly relations: number;
  readonly conversations: number;
}

const kinds = [
  ['user', 'An account', 'username or id'],
  ['tweet_ids', 'Tweets by id', 'ids, separated by commas'],
  ['query', 'Tweets by query', 'a query of the search language'],
] as const;
type Kind = (typeof kinds)[number][0];

const requestOf = (kind: Kind, text: string): object => ({
  [kind]: kind === 'tweet_ids' ? text.split(/[\s,]+/).filter((id) => id !== '') : text,
});

const describe = ({ tweets, users, relations, conversations }: Counts): string =>
  [
    plural(tweets, 'tweet'),
    plural(users, 'account'),
    plural(relations, 'relation'),
    plural(conversations, 'conversation'),
  ].join(', ');

/** What the operator has chosen to erase. */
interface Choice {
  readonly kind: Kind;
  readonly text: string;
}

function ChoiceForm({
  choice: { kind, text },
  isBusy,
  onChange,
  onPreview,
}: {
  choice: Choice;
  isBusy: boolean;
  onChange: (choice: Choice) => void;
  onPreview: () => void;
}): VNode {
  const hint = kinds.find(([each]) => each === kind)?.[2] ?? '';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onPreview();
  };
  return (
    <form class="row" onSubmit={submit} autocomplete="off">
      <label class="sr" for="erase-kind">
        What to erase
      </label>
      <select
        id="erase-kind"
        value={kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value as Kind, text: '' })}
      >
        {kinds.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      <label class="sr" for="erase-text">
        {hint}
      </label>
      <input
        id="erase-text"
        type="text"
        value={text}
        placeholder={hint}
        onInput={(event) => onChange({ kind, text: event.currentTarget.value })}
      />
      <button type="submit" disabled={isBusy || text.trim() === ''}>
        Preview
      </button>
    </form>
  );
}

const Preview = ({ counts, isBusy, onErase }: { counts: Counts; isBusy: boolean; onErase: () => void }): VNode => (
  <div class="row made">
    <span>This erases {describe(counts)}.</span>
    <Confirmed
      name="Erase"
      question={`Erase ${plural(counts.tweets, 'tweet')} and ${plural(counts.users, 'account')} for ever?`}
      disabled={isBusy}
      onYes={onErase}
    />
  </div>
);

export function Erase(): VNode {
  const { isBusy, fault, run } = useDoing();
  const [choice, setChoice] = useState<Choice>({ kind: 'user', text: '' });
  const [preview, setPreview] = useState<Counts | undefined>(undefined);
  const [done, setDone] = useState('');
  const change = (next: Choice): void => {
    setChoice(next);
    setPreview(undefined);
    setDone('');
  };
  const request = requestOf(choice.kind, choice.text.trim());
  const count = (): void => run(async () => setPreview(await call<Counts>('POST', '/erase/preview', request)));
  const erase = ({ tweets, users }: Counts): void =>
    run(async () => {
      const body = { ...request, expected: { tweets, users } };
      const report = await call<{ erased: Counts; off_disk_by: string }>('POST', '/erase', body);
      change({ ...choice, text: '' });
      setDone(`Erased: ${describe(report.erased)}. Off the disk by ${moment(report.off_disk_by)}.`);
    });
  return (
    <Section id="erase" title="Erase">
      <p class="hint">
        Removes tweets or an account from every response at once, and from the disk in time. It cannot be undone.
      </p>
      <ChoiceForm choice={choice} isBusy={isBusy} onChange={change} onPreview={count} />
      <div role="status">
        {preview !== undefined && <Preview counts={preview} isBusy={isBusy} onErase={() => erase(preview)} />}
        {done}
      </div>
      <Reason text={fault} />
    </Section>
  );
}

export function Audit(): VNode {
  const { data } = usePolled<{ entries: readonly AuditEntry[] }>('/audit', 5_000);
  return (
    <Section id="audit" title="Audit log">
      <Table
        caption="Actions, newest first"
        heads={['Time', 'Key', 'Action', 'About', 'Result']}
        rows={(data?.entries ?? []).map(({ at, key, action, subject, result }) => [
          moment(at),
          <code key="key">{key}</code>,
          action,
          subject,
          result,
        ])}
        empty="No action yet."
      />
    </Section>
  );
}
