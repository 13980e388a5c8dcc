/** The state of the service: numbers, disk and journals, the assistant, refused requests. */
import { compact, full, type VNode } from '../kit/frame.ts';
import { Gauge } from '../plot/plot.tsx';
import type { Overview } from '../../server/operate/overview.ts';
import { minuteOf, moment, Section, size, Table } from './parts.tsx';
import { Requests } from './requests.tsx';

const Numbers = ({ state }: { state: Overview }): VNode => {
  const { tweets, users, estimated } = state.archive;
  const about = estimated ? 'about ' : '';
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['tweets', about + compact(tweets)],
    ['users', about + compact(users)],
    ['memory', size(state.memory_bytes)],
    ['free disk', size(state.disk.free_bytes)],
    ['version', state.version],
  ];
  return (
    <dl class="stats" aria-label="The service">
      {rows.map(([name, value]) => (
        <div class="stat" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

const Health = ({ state: { ready, warnings, started_at: startedAt } }: { state: Overview }): VNode => (
  <p class={ready === 'ok' && warnings.length === 0 ? 'state good' : 'state wrong'} role="status">
    {ready === 'ok' ? 'Ready' : `Not ready: ${ready}`}, running since {moment(startedAt)}.{' '}
    {warnings.map((warning) => `${warning}.`).join(' ')}
  </p>
);

/** The rows of the database file. */
const filesOf = (file: Overview['file']): (readonly string[])[] =>
  file === null
    ? []
    : [
        ['archive.db', size(file.bytes), '', ''],
        ['its write-ahead log', size(file.log_bytes), '', ''],
      ];

const Disk = ({ state: { disk, file, journals } }: { state: Overview }): VNode => (
  <Section id="disk" title="Disk and logs">
    <Gauge
      name="Used disk"
      value={disk.total_bytes - disk.free_bytes}
      max={disk.total_bytes}
      text={`${size(disk.free_bytes)} of ${size(disk.total_bytes)} free`}
    />
    <Table
      caption="Files and logs"
      heads={['File or log', 'Size', 'Records', 'State']}
      rows={[
        ...filesOf(file),
        ...journals.map(({ name, records, failed }) => [
          name,
          '',
          full(records),
          failed ? <b class="wrong">cannot be written</b> : 'ok',
        ]),
      ]}
      empty="There are no logs."
    />
  </Section>
);

const stateWords: Readonly<Record<string, string>> = {
  untested: 'not tested yet',
  available: 'available',
  cooling: 'waits',
  incapable: 'cannot answer',
};

const Assistant = ({ state: { pool, accounts } }: { state: Overview }): VNode => {
  const { daily_capacity: capacity, remaining_now: left } = pool.capacity;
  return (
    <Section id="assistant" title="Assistant">
      <Gauge
        name="Questions left in 24 hours"
        value={left}
        max={capacity}
        text={`${full(left)} of ${full(capacity)}`}
      />
      {accounts.map(({ id, state, used, remaining, until }) => (
        <Gauge
          key={id}
          name={`${id}: ${stateWords[state] ?? state}${until === null ? '' : ` until ${minuteOf(until)}`}`}
          value={remaining}
          max={used + remaining}
          text={`${full(remaining)} left`}
        />
      ))}
      {accounts.length === 0 && <p class="hint">No account is in use: add one below.</p>}
    </Section>
  );
};

const Refused = ({ state: { refused } }: { state: Overview }): VNode => (
  <Section id="refused" title="Last refused requests">
    <Table
      caption="Last refused requests, newest first"
      heads={['Time', 'Status', 'Operation', 'Key', 'Request id']}
      rows={refused.map(({ at, status, method, operation, key, request_id: id }) => [
        moment(at),
        status,
        operation ?? `${method}, none`,
        key ?? 'none',
        <code key="id">{id}</code>,
      ])}
      empty="None since the start."
    />
    <p class="hint">The log has the reason of each, under its request id.</p>
  </Section>
);

/** Everything that changes by itself. `isOld`: the last reading failed, so whether the service is ready is not known. */
export const State = ({ state, isOld }: { state: Overview; isOld: boolean }): VNode => (
  <>
    {!isOld && <Health state={state} />}
    <Numbers state={state} />
    <Requests minutes={state.minutes} />
    <div class="operate-halves">
      <Disk state={state} />
      <Assistant state={state} />
    </div>
    <Refused state={state} />
  </>
);
