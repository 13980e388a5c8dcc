/** /s/ID: an audio room. */
import {
  Avatar,
  Fault,
  Loading,
  RequestLine,
  UserName,
  full,
  longTime,
  mount,
  send,
  setTitle,
  subject,
  useEffect,
  useLoaded,
  type Author,
  type Space,
  type VNode,
} from '../kit/index.ts';

const request = { path: '/social/space/detail', parameters: { id: subject() } };

const Person = ({ user }: { user: Author }): VNode => (
  <div class="by person">
    <Avatar user={user} />
    <UserName user={user} />
  </div>
);

function Details({ space }: { space: Space }): VNode {
  useEffect(() => setTitle(space.title), []);
  const times = [
    ['Scheduled', space.scheduled_start],
    ['Started', space.started_at],
    ['Ended', space.ended_at],
  ] as const;
  return (
    <>
      <p class={`state-${space.state} state`}>{space.state}</p>
      <h1 dir="auto">{space.title}</h1>
      <dl class="stats">
        <div class="stat">
          <dt>participants</dt>
          <dd>{full(space.participant_count)}</dd>
        </div>
        <div class="stat">
          <dt>subscribers</dt>
          <dd>{full(space.subscriber_count)}</dd>
        </div>
        <div class="stat">
          <dt>language</dt>
          <dd>{space.lang}</dd>
        </div>
      </dl>
      <h2 class="section-title">Host</h2>
      <Person user={space.host} />
      <h2 class="section-title">Speakers</h2>
      {space.speakers.length === 0 ? (
        <p class="hint">None yet.</p>
      ) : (
        space.speakers.map((user) => <Person key={user.id} user={user} />)
      )}
      <p class="hint">
        {times.flatMap(([name, at]) => (at === null ? [] : [`${name} ${longTime(at)}`])).join(' · ')}
        {space.is_ticketed && ' · with tickets'}
      </p>
    </>
  );
}

function SpacePage(): VNode {
  const loaded = useLoaded(request.parameters.id, (signal) => send<Space>(request, signal));
  return (
    <div class="columns">
      <section aria-label="Audio room">
        {loaded.is === 'loading' && (
          <div class="whole-screen">
            <Loading rows={2} name="Loading the room" />
          </div>
        )}
        {loaded.is === 'ready' && <Details space={loaded.data} />}
        {loaded.is === 'failed' && (
          <>
            <h1>Audio room</h1>
            <Fault error={loaded.error} retry={loaded.retry} />
          </>
        )}
      </section>
      <aside class="rail" aria-label="Request of this page">
        <RequestLine request={request} />
      </aside>
    </div>
  );
}

mount(SpacePage);
