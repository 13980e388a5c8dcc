/** The whole texts of long tweets of a personal archive: tweets.js has only their beginning, note-tweet.js the rest. */
import { fields, isFields, list, text, timestamp, type Fields } from './recognised.ts';
import { decode } from './text.ts';

interface Note {
  /** The text as the archive has it: escaped, like that of a tweet. */
  readonly text: string;
  readonly core: Fields;
}

/** Notes by the second of their time. */
export type NotesBySecond = Map<number, Note[]>;

/** The maximum number of characters of all notes in memory: those of 10,000 tweets of the maximum length. */
const maxChars = 250_000_000;
/** The maximum difference between the times of a note and of its tweet, in seconds. */
const toleranceSeconds = 2;

const second = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** The beginning of a long tweet: without the ellipsis and the link to the tweet itself. */
const beginningOf = (fullText: string): string =>
  fullText.replace(/(?:…|\.\.\.)?\s*https:\/\/t\.co\/\w+\s*$/, '').replace(/…\s*$/, '');

/** The users that a reply answers, at the start of its text; a note may omit them. */
const repliedOf = (body: string): string => /^(?:@\w+\s+)*/.exec(body)?.[0] ?? '';
const withoutReplied = (body: string): string => body.slice(repliedOf(body).length);

/**
 * The notes of an archive. A note does not name its tweet: the archive has the time of both, and the text of the tweet is
 * the beginning of the note.
 */
export class NoteTexts {
  readonly bySecond: NotesBySecond;
  #chars = 0;

  /** `bySecond`: the notes of another one, which another thread has sent. */
  constructor(bySecond: NotesBySecond = new Map()) {
    this.bySecond = bySecond;
  }

  /** Adds an element of note-tweet.js; ignores other values. False if the notes are too large. */
  add({ noteTweet }: Fields): boolean {
    if (!isFields(noteTweet)) return true;
    const core = fields(noteTweet.core);
    const body = text(core.text);
    const createdAt = timestamp(noteTweet.createdAt);
    if (body === undefined || createdAt === undefined) return true;
    this.#chars += body.length;
    const at = second(createdAt);
    const notes = this.bySecond.get(at);
    if (notes === undefined) this.bySecond.set(at, [{ text: body, core }]);
    else notes.push({ text: body, core });
    return this.#chars <= maxChars;
  }

  /** The status with the whole text and its entities; undefined for a status that is whole. */
  complete(status: Fields): Fields | undefined {
    const createdAt = timestamp(status.created_at);
    const fullText = text(status.full_text) ?? text(status.text);
    if (this.bySecond.size === 0 || createdAt === undefined || fullText === undefined) return undefined;
    const note = this.#find(second(createdAt), withoutReplied(beginningOf(fullText)));
    if (note === undefined) return undefined;
    const whole = repliedOf(fullText) + withoutReplied(note.text);
    return { ...status, full_text: whole, entities: entitiesOf(note.core, fields(status.entities)) };
  }

  /** The note of about this time that continues a text. */
  #find(at: number, beginning: string): Note | undefined {
    const own = decode(beginning);
    if (own === '') return undefined;
    const continues = (note: Note): boolean => {
      const whole = decode(withoutReplied(note.text));
      return whole.length > own.length && whole.startsWith(own);
    };
    for (let distance = 0; distance <= toleranceSeconds; distance++)
      for (const time of distance === 0 ? [at] : [at - distance, at + distance]) {
        const found = this.bySecond.get(time)?.find(continues);
        if (found !== undefined) return found;
      }
    return undefined;
  }
}

/** The entities of a note in the shape of v1.1, with the users that the beginning mentions, whose ids are `known`. */
function entitiesOf({ urls, mentions, hashtags, cashtags }: Fields, known: Fields): Fields {
  const knownUsers = list(known.user_mentions);
  const names = new Set(knownUsers.map((mention) => mention.screen_name));
  return {
    urls: list(urls).map((link) => ({
      url: link.shortUrl ?? link.expandedUrl,
      expanded_url: link.expandedUrl,
      display_url: link.displayUrl,
    })),
    user_mentions: [
      ...knownUsers,
      ...list(mentions)
        .filter(({ screenName }) => !names.has(screenName))
        .map(({ screenName }) => ({ screen_name: screenName })),
    ],
    hashtags: list(hashtags),
    symbols: list(cashtags),
  };
}
