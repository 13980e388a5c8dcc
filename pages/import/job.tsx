/** One upload: its progress, and the report of its import. */
import { full, plural, root, type VNode } from '../kit/frame.ts';
import type { UploadView } from '../../server/operate/uploads.ts';
import { size, Table } from '../operate/parts.tsx';

type Report = UploadView['reports'][number];

const sum = (
  reports: readonly Report[],
  ...counts: readonly ('taken' | 'updated' | 'unchanged' | 'skipped' | 'resumed')[]
): number => reports.reduce((all, report) => all + counts.reduce((of, name) => of + report[name], 0), 0);

/** What became of a file, in words. "Imported" is said only where something of it is in the archive now that was not before. */
function stateOf({ state, reports }: UploadView): string {
  if (state === 'uploading') return 'Uploading';
  if (state === 'importing') return 'Importing';
  const [taken, skipped] = [sum(reports, 'taken', 'updated', 'resumed'), sum(reports, 'skipped')];
  if (state === 'failed') return taken > 0 ? 'Imported in part' : 'Not imported';
  if (taken > 0) return skipped > 0 ? `Imported, but for ${plural(skipped, 'record')}` : 'Imported';
  if (sum(reports, 'unchanged') > 0) return 'Nothing new: the archive has all of it already';
  return skipped > 0 ? 'Nothing imported: nothing in it was recognised' : 'Nothing imported: the file has no records';
}

/** Where to see what was imported. */
function Onward({ reports }: { reports: readonly Report[] }): VNode | null {
  const here = sum(reports, 'taken', 'updated', 'resumed', 'unchanged');
  return here === 0 ? null : (
    <p>
      <a class="button" href={`${root}explore`}>
        Explore the archive
      </a>
    </p>
  );
}

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
    <details open>
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
  const { input, taken, updated, unchanged, skipped, resumed, added, fault, complete } = report;
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
      {fault !== undefined && (
        <p class="wrong">
          {fault}
          {sum([report], 'taken', 'updated', 'unchanged', 'skipped', 'resumed') > 0 && '; what came before is taken in'}
        </p>
      )}
      {fault === undefined && !complete && <p class="wrong">not read to its end</p>}
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
    <p role="status">{fault === '' ? stateOf(view) : 'The upload has stopped'}</p>
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
    <Onward reports={view.reports} />
  </section>
);
