/** The contents of the journals of a data directory, and the rules for their repair. */
import { Archive } from '../../platforms/archive/archive.ts';
import type { Change } from '../../platforms/archive/change.ts';
import type { SetAsideRecord } from '../../platforms/archive/set-aside.ts';
import { schemaFault } from './document-rules.ts';
import { messageOf } from '../../text/error-text.ts';
import { memberOf } from '../../text/object.ts';

/** Damage to a journal as far as it is known. */
export interface JournalDamage {
  /** The number of records that cannot be read. */
  readonly records: number;
  /** Whether records may be missing whose number is not known, as from the end of a truncated file. */
  readonly unknown: boolean;
}

/** The check of the records of one journal, in their order. */
export interface RecordCheck {
  /** The fault of a record; undefined for a usable one. */
  fault(value: unknown, seq: number): string | undefined;
  /** Records that a repaired journal gets at its end. */
  appendix(damage: JournalDamage): string[];
  /** Facts about the records that need no repair. */
  notes(): string[];
}

export interface JournalRules {
  /**
   * A record without effect. It takes the place of a damaged record, so that the numbers of the later ones stay the
   * same. Undefined: a damaged journal is taken out as a whole.
   */
  readonly placeholder: string | undefined;
  /** The consequence of the removal of records. */
  readonly consequence: string;
  /** Creates the check for one pass. */
  readonly createCheck: (directory: DirectoryFacts) => RecordCheck;
}

/** The facts about other files that the check of a journal needs. */
export interface DirectoryFacts {
  /** The records that the archive leaves out already. */
  readonly setAside: readonly SetAsideRecord[];
  /** The ids of the stored accounts. */
  readonly accountIds: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

const id = { type: 'string', pattern: '^[0-9]{1,19}$', 'x-expected': 'a decimal id' };
const at = { type: 'number', minimum: 0 };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };
const variant = (kind: string, required: readonly string[], properties: object): object => ({
  type: 'object',
  required: ['kind', ...required],
  properties: { kind: { const: kind }, ...properties },
});

/** The fault of a record whose `kind` selects one of several schemas. */
function kindFault(variants: Readonly<Record<string, object>>): (value: unknown) => string | undefined {
  const faults = new Map(Object.entries(variants).map(([kind, schema]) => [kind, schemaFault(schema)]));
  return (value) => {
    const kind = memberOf(value, 'kind');
    const fault = typeof kind === 'string' ? faults.get(kind) : undefined;
    return fault === undefined ? `unknown kind ${String(JSON.stringify(kind)).slice(0, 40)}` : fault(value);
  };
}

const checkOf = (fault: (value: unknown) => string | undefined): RecordCheck => ({
  fault,
  appendix: () => [],
  notes: () => [],
});

const bookkeepingFault = kindFault({
  import: variant('import', ['fingerprint', 'progress'], {
    fingerprint: text,
    progress: {
      type: 'object',
      required: ['values', 'done'],
      properties: { values: count, done: { type: 'boolean' } },
    },
  }),
  position: variant('position', ['source', 'position', 'at'], { source: text, position: text, at }),
  snapshot: variant('snapshot', ['is'], { is: { enum: ['begin', 'end'] } }),
});

/** Applies the records to an archive, as a start does. */
class ArchiveCheck implements RecordCheck {
  readonly #archive = new Archive();
  readonly #setAside: ReadonlyMap<number, SetAsideRecord>;
  #skipped = 0;
  #inSnapshot = false;

  constructor({ setAside }: DirectoryFacts) {
    this.#setAside = new Map(setAside.map((record) => [record.seq, record]));
  }

  fault(value: unknown, seq: number): string | undefined {
    if (this.#setAside.has(seq)) {
      this.#skipped++;
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return 'it is no JSON object';
    const kind = memberOf(value, 'kind');
    if (kind === 'import' || kind === 'position' || kind === 'snapshot') {
      const fault = bookkeepingFault(value);
      if (fault === undefined && kind === 'snapshot') this.#inSnapshot = memberOf(value, 'is') === 'begin';
      return fault;
    }
    try {
      this.#archive.apply(value as Change, { snapshot: this.#inSnapshot });
      return undefined;
    } catch (error) {
      return `the archive cannot apply it: ${messageOf(error)}`;
    }
  }

  appendix(): string[] {
    // Later records would otherwise count as a part of the snapshot.
    return this.#inSnapshot ? [JSON.stringify({ kind: 'snapshot', is: 'end' })] : [];
  }

  notes(): string[] {
    const notes =
      this.#skipped === 0 ? [] : [`${this.#skipped} records are set aside already: set-aside.json lists them`];
    const missing = missingReferences(this.#archive);
    return missing === '' ? notes : [...notes, `references to what the archive does not hold: ${missing}`];
  }
}

/** The number of references without a target by kind, as text. They are usual where data was imported in part. */
function missingReferences(archive: Archive): string {
  const missing = { authors: 0, 'quoted tweets': 0, 'retweeted tweets': 0, communities: 0 };
  for (const ordinal of archive.ordinals()) {
    const tweet = archive.tweet(ordinal);
    const isMissing = (tweetId: string | undefined): boolean =>
      tweetId !== undefined && archive.ordinal(tweetId) === undefined;
    if (archive.users.get(tweet.author_id) === undefined) missing.authors++;
    if (isMissing(tweet.quoted_tweet_id)) missing['quoted tweets']++;
    if (isMissing(tweet.retweeted_tweet_id)) missing['retweeted tweets']++;
    if (tweet.community_id !== undefined && !archive.communities.has(tweet.community_id)) missing.communities++;
  }
  const named = Object.entries(missing).filter(([, number]) => number > 0);
  return named.map(([name, number]) => `${name} ${number}`).join(', ');
}

const slot = { type: 'object', required: ['freeAt'], properties: { freeAt: { type: 'number' } } };
const poolFault = kindFault({
  account: variant('account', ['id', 'state'], {
    id: text,
    at,
    state: {
      type: 'object',
      required: ['capability', 'restsUntil', 'strikes', 'setbacks', 'slots'],
      properties: {
        capability: { enum: ['untested', 'capable', 'incapable'] },
        restsUntil: { type: 'number' },
        strikes: count,
        setbacks: count,
        slots: { type: 'array', items: slot },
      },
    },
  }),
  event: variant('event', ['id', 'at', 'event'], {
    id: text,
    at,
    event: {
      type: 'object',
      required: ['kind'],
      oneOf: [
        variant('reserve', ['question', 'cost', 'deadline'], {
          question: text,
          cost: { type: 'integer', minimum: 0, maximum: 10_000 },
          deadline: at,
        }),
        variant('settle', ['question', 'outcome', 'counted'], { question: text, outcome: text, counted: count }),
        variant('reset', [], {}),
      ],
    },
  }),
});

/** The questions of one call, at most; and the largest quota of an account. */
const maxCost = 2;
const maxQuota = 10_000;

/** Charges every account for the questions that damaged records may have counted, so that no quota is exceeded. */
class PoolCheck implements RecordCheck {
  readonly #ids: Set<string>;
  readonly #now: number;

  constructor({ accountIds, now }: DirectoryFacts) {
    this.#ids = new Set(accountIds);
    this.#now = now;
  }

  fault(value: unknown): string | undefined {
    const fault = poolFault(value);
    if (fault === undefined) this.#ids.add(String(memberOf(value, 'id')));
    return fault;
  }

  appendix({ records, unknown }: JournalDamage): string[] {
    const cost = unknown ? maxQuota : Math.min(maxQuota, maxCost * records);
    if (cost === 0) return [];
    const event = { kind: 'reserve', question: `repair ${this.#now}`, cost, deadline: this.#now };
    return Array.from(this.#ids, (account) => JSON.stringify({ kind: 'event', id: account, at: this.#now, event }));
  }

  notes(): string[] {
    return [];
  }
}

const prompt = { type: ['string', 'null'] };
const turn = { type: 'object', required: ['answer'], properties: { prompt, answer: text } };
const ids = { type: 'array', items: id };
/** What the answers have used; records before version 1.3.0 have none. */
const use = { tweet_ids: ids, user_ids: ids };
const conversationFault = kindFault({
  turn: variant('turn', ['id', 'tweet_id', 'at', 'turn'], { id: text, tweet_id: id, at, turn, ...use }),
  used: variant('used', ['id', 'at'], { id: text, at }),
  ended: variant('ended', ['ids', 'at'], { ids: { type: 'array', items: text }, at }),
  whole: variant('whole', ['id', 'tweet_id', 'at', 'turns'], {
    id: text,
    tweet_id: id,
    at,
    turns: { type: 'array', items: turn },
    ...use,
  }),
});

const eventFault = schemaFault({
  type: 'object',
  required: ['event', 'at'],
  properties: { event: { type: 'string', pattern: '^[a-z]+\\.[a-z]+$' }, at, id, user_id: id, change: count },
});

/** Checks events, and finds the last change of the archive that they refer to. */
export class EventCheck implements RecordCheck {
  lastChange = 0;

  fault(value: unknown): string | undefined {
    const fault = eventFault(value);
    if (fault === undefined) this.lastChange = Math.max(this.lastChange, Number(memberOf(value, 'change') ?? 0));
    return fault;
  }

  appendix(): string[] {
    return [];
  }

  notes(): string[] {
    return [];
  }
}

/** The journals by name. */
export const journalRules: Readonly<Record<string, JournalRules>> = {
  archive: {
    placeholder: JSON.stringify({ kind: 'import', fingerprint: 'damaged', progress: { values: 0, done: false } }),
    consequence:
      'what it held is not served: import it again, and repeat deletions, because a damaged record may have been one',
    createCheck: (facts) => new ArchiveCheck(facts),
  },
  pool: {
    placeholder: JSON.stringify({ kind: 'event', id: 'damaged', at: 0, event: { kind: 'reset' } }),
    consequence: 'accounts are charged for the questions that it may have counted, for 24 hours',
    createCheck: (facts) => new PoolCheck(facts),
  },
  conversations: {
    placeholder: JSON.stringify({ kind: 'used', id: 'damaged', at: 0 }),
    consequence: 'a conversation may lack a turn',
    createCheck: () => checkOf(conversationFault),
  },
  events: {
    placeholder: undefined,
    consequence: 'the next start begins a new event log: clients that resume get a gap',
    createCheck: () => new EventCheck(),
  },
};

/** The rules of a journal of this service. */
export function rulesOf(name: string): JournalRules {
  const rules = journalRules[name];
  if (rules === undefined) throw new Error(`there is no journal ${name}`);
  return rules;
}
