/** The numbers of the home page. */
import { compact, full } from '../kit/index.ts';
import type { Overview } from './overview.ts';

const minuteMs = 60_000;

/** Changes a minute between two readings; undefined before there are two. */
function rateOf(now: Overview | undefined, before: Overview | undefined): number | undefined {
  if (now?.changes === undefined || before?.changes === undefined || now.at <= before.at) return undefined;
  return Math.round(((now.changes - before.changes) / (now.at - before.at)) * minuteMs);
}

function followText({ followed }: Overview): string {
  if (followed.length === 0) return 'none';
  const lost = followed.filter(({ connected }) => !connected).length;
  return lost === 0 ? String(followed.length) : `${followed.length}, ${lost} not connected`;
}

function lagText({ followed }: Overview): string | undefined {
  const lags = followed.flatMap(({ lag_seconds: lag }) => (typeof lag === 'number' ? [lag] : []));
  return lags.length === 0 ? undefined : `${Math.max(...lags).toFixed(1)} s`;
}

export function Stats({ now, before }: { now: Overview | undefined; before: Overview | undefined }) {
  const rate = rateOf(now, before);
  const lag = now === undefined ? undefined : lagText(now);
  const rows: readonly (readonly [name: string, value: string | undefined, title?: string])[] = [
    [
      'tweets',
      now?.objects.tweets === undefined ? undefined : compact(now.objects.tweets),
      full(now?.objects.tweets ?? 0),
    ],
    ['users', now?.objects.users === undefined ? undefined : compact(now.objects.users), full(now?.objects.users ?? 0)],
    ['changes a minute', rate === undefined ? undefined : full(rate)],
    ['sources followed', now === undefined ? undefined : followText(now)],
    ...(lag === undefined ? [] : [['behind the source', lag] as const]),
  ];
  return (
    <dl class="stats" aria-label="What runs here">
      {rows.map(([name, value, title]) => (
        <div class="stat" key={name} title={title}>
          <dt>{name}</dt>
          <dd>{value ?? '…'}</dd>
        </div>
      ))}
    </dl>
  );
}
