/** The records of the spaces. */
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { personNamed } from './people.ts';
import type { Random } from './random.ts';
import { drawPeople, readersOf, userIdOf } from './society.ts';
import { spaces } from './spaces.ts';

const minute = 60_000;
const hour = 60 * minute;
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The space of the examples in spec/openapi.yaml. */
const exampleSpace: ArchiveRecord = {
  kind: 'space',
  space: {
    id: '1vSampleSpace1',
    title: 'Office hours: small archives',
    state: 'ended',
    host_id: userIdOf('mira_codes'),
    speaker_ids: ['tom_sails', 'ada_patch', 'priya_builds'].map(userIdOf),
    participant_count: 87,
    subscriber_count: 40,
    lang: 'en',
    is_ticketed: false,
    created_at: '2026-02-01T10:00:00.000Z',
    scheduled_start: '2026-02-03T18:00:00.000Z',
    started_at: '2026-02-03T18:01:12.000Z',
    ended_at: '2026-02-03T19:04:55.000Z',
  },
};

/** The space records of a sample that ends at `until`. */
export function spaceRecords(random: Random, until: number): ArchiveRecord[] {
  const others = spaces.map(([title, state, username, hoursBefore, lang, ticketed], index): ArchiveRecord => {
    const host = personNamed(username);
    const start = until - hoursBefore * hour;
    const started = state === 'scheduled' ? null : start + random.integer(5, 240) * 1000;
    const speakers = state === 'scheduled' ? 1 : random.integer(2, 5);
    return {
      kind: 'space',
      space: {
        id: `1vSampleSpace${index + 2}`,
        title,
        state,
        host_id: userIdOf(username),
        speaker_ids: drawPeople(random, readersOf(host.topics[0], host), speakers, host).map((speaker) =>
          userIdOf(speaker.username),
        ),
        participant_count: state === 'scheduled' ? 0 : Math.floor(random.pareto(1) * 25),
        subscriber_count: Math.floor(random.pareto(1.2) * 15),
        lang,
        is_ticketed: ticketed ?? false,
        created_at: iso(Math.min(start, until) - random.integer(6, 90) * hour),
        scheduled_start: iso(start),
        started_at: started === null ? null : iso(started),
        ended_at: state === 'ended' && started !== null ? iso(started + random.integer(28, 130) * minute) : null,
      },
    };
  });
  return [exampleSpace, ...others];
}
