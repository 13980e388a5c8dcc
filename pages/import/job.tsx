/** One upload: its progress, and the report of its import. */
import { full, plural, type VNode } from '../kit/index.ts';
import type { UploadView } from '../../server/operate/uploads.ts';
import { size, Table } from '../operate/parts.tsx';

type Report = UploadView['reports'][number];

const stateWords: Readonly<Record<UploadView['state'], string>> = {
  uploading: 'Uploading',
  importing: 'Importing',
  done: 'Imported',
  failed: 'Not imported completely',
};

function Progress({ view }: { view: UploadView }): VNode | null {
  const { state, received, bytes, progress } = view;
  if (state === 'uploading')
    return (
      <>
        <progress max={bytes} value={received} aria-label={`Upload of ${view.name}`} />
        <p class="hint">
          {size(received)} of {size(bytes)}. You can close this page: the same file continues here within a day.
        </p>
      </>
    );
  if (state !== 'importing') return null;
  return (
    <>
      <progress max={Math.max(1, progress.of)} value={progress.bytes} aria-label={`Import of ${view.name}`} />
      <p class="hint">
        {progress.input === ''
          ? 'Waiting for its turn …'
          : `${progress.input}: ${plural(progress.values, 'record')}, ${size(progress.bytes)} of ${size(progress.of)} read`}
      </p>
    </>
  );
}

function LeftOut({ report: { leftOut = [] } }: { report: Report }): VNode | null {
  if (leftOut.length === 0) return null;
  return (
    <details>
      <summary>{plural(leftOut.length, 'file')} of the archive left out</summary>
      <ul class="left-out">
        {leftOut.map(({ name, reason }) => (
          <li key={name}>
            {name}
            {reason === undefined ? '' : ` (${reason})`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Skipped({ report: { reasons, skipped } }: { report: Report }): VNode | null {
  if (reasons.length === 0) return null;
  return (
    <details>
      <summary>{plural(skipped, 'record')} skipped</summary>
      <Table
        caption="Reasons of skipped records"
        heads={['Records', 'Reason', 'Lines']}
        rows={reasons.map(({ reason, count, lines }) => [
          full(count),
          reason,
          `${lines.join(', ')}${count > lines.length ? ', …' : ''}`,
        ])}
        empty=""
      />
    </details>
  );
}

const Result = ({ report }: { report: Report }): VNode => {
  const { input, taken, updated, unchanged, skipped, resumed, added, fault } = report;
  const counts = [
    `${full(taken)} taken`,
    `${full(updated)} updated`,
    `${full(unchanged)} unchanged`,
    `${full(skipped)} skipped`,
    ...(resumed > 0 ? [`${full(resumed)} by an earlier run`] : []),
  ];
  const kinds = Object.entries(added).map(([kind, count]) => `${kind} ${full(count)}`);
  return (
    <li>
      <b>{input}</b>: {counts.join(' · ')}
      {kinds.length > 0 && <span class="hint"> (added: {kinds.join(', ')})</span>}
      {fault !== undefined && <p class="wrong">{fault}</p>}
      <Skipped report={report} />
      <LeftOut report={report} />
    </li>
  );
};

interface JobProps {
  readonly view: UploadView;
  readonly fault: string;
  readonly onCancel: () => void;
}

export const Job = ({ view, fault, onCancel }: JobProps): VNode => (
  <section class="panel job" aria-label={view.name}>
    <h2>{view.name}</h2>
    <p role="status">{fault === '' ? stateWords[view.state] : 'The upload has stopped'}</p>
    <Progress view={view} />
    {(view.state === 'uploading' || view.state === 'importing') && (
      <button type="button" aria-label={`Cancel ${view.name}`} onClick={onCancel}>
        Cancel
      </button>
    )}
    {(fault !== '' || view.error !== null) && (
      <p class="wrong" role="alert">
        {fault || view.error}
      </p>
    )}
    {view.reports.length > 0 && (
      <ul>
        {view.reports.map((report) => (
          <Result key={report.input} report={report} />
        ))}
      </ul>
    )}
  </section>
);
