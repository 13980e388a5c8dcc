/** The requests of the last hour, day or week as plots. */
import { Choice, full, plural, useState, type VNode } from '../kit/frame.ts';
import { Bars, Line } from '../plot/plot.tsx';
import type { RequestFigures } from '../../server/operate/request-history.ts';
import { usePolled } from './api.ts';
import { minuteOf, Reason, Section } from './parts.tsx';

const spans = ['Hour', 'Day', 'Week'] as const;
type Span = (typeof spans)[number];

const steps: Readonly<Record<Span, string>> = { Hour: 'a minute', Day: 'in 15 minutes', Week: 'an hour' };

/** How often the figures of a day and of a week are read again, in milliseconds. */
const everyMs = 60_000;

/** An hour of a week: Thu 12 Nov, 14:00. */
const hourOf = (at: string): string =>
  new Date(at).toLocaleString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function Plots({ span, figures }: { span: Span; figures: readonly RequestFigures[] }): VNode {
  const labelOf = span === 'Week' ? hourOf : minuteOf;
  const total = figures.reduce((sum, { requests }) => sum + requests, 0);
  const covers = `${plural(total, 'request')}, ${hourOf(figures[0]?.at ?? '')} to now, times of ${zone}`;
  const points = (pick: (figures: RequestFigures) => number | null) =>
    figures.map((each) => ({ label: labelOf(each.at), value: pick(each) }));
  return (
    <div class="plots">
      <Bars
        title={`Requests ${steps[span]}`}
        unit="requests"
        points={points(({ requests }) => requests)}
        covers={covers}
      />
      <Bars
        title={`Errors (5xx) ${steps[span]}`}
        unit="errors"
        points={points(({ errors }) => errors)}
        covers={`${full(figures.reduce((sum, { errors }) => sum + errors, 0))} of ${plural(total, 'request')}`}
      />
      <Line
        title="Duration, p50"
        unit="ms"
        points={points((each) => each.p50_ms)}
        covers="A gap where there was no request"
      />
      <Line
        title="Duration, p99"
        unit="ms"
        points={points((each) => each.p99_ms)}
        covers="A gap where there was no request"
      />
    </div>
  );
}

function Longer({ span }: { span: Span }): VNode {
  const { data, error } = usePolled<{ steps: readonly RequestFigures[] }>(`/requests/${span.toLowerCase()}`, everyMs);
  return (
    <>
      <Reason text={error?.message ?? ''} />
      {data === undefined ? <div class="plots-place" /> : <Plots span={span} figures={data.steps} />}
    </>
  );
}

/** `minutes`: the figures of the last hour, which come with the state of the service. */
export function Requests({ minutes }: { minutes: readonly RequestFigures[] }): VNode {
  const [span, setSpan] = useState<Span>('Hour');
  return (
    <Section id="requests" title="Requests">
      <div class="row spread">
        <Choice name="Time" values={spans} value={span} choose={setSpan} />
        <span class="hint">of this process, since its start</span>
      </div>
      {span === 'Hour' ? <Plots span={span} figures={minutes} /> : <Longer key={span} span={span} />}
    </Section>
  );
}
