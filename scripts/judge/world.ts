/** The data of the judged set: the bundled sample, and real data beside the repository. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { archiveReader } from '../../server/assistant/archive-reader.ts';
import { localProvider } from '../../server/assistant/providers/local.ts';
import { subjectOf } from '../../server/assistant/subject.ts';
import { readSample } from '../../server/demo/seed-sample.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import { archivePlatform } from '../../server/platforms/archive/archive-platform.ts';
import type { Turn } from '../../server/ports/assistant-provider.ts';
import { flat, judge, type Facts, type JudgedCase, type Judgement } from './rubric.ts';

/** The folder of the real data sets; cases over them run only where it exists. */
const realData = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const { signal } = new AbortController();
const provider = localProvider();

export const isPresent = (set: string): boolean => set === 'sample' || existsSync(join(realData, set));

/** One data set in memory. */
export class JudgedWorld {
  readonly #archive = new Archive();
  readonly #platform = archivePlatform({ archive: this.#archive, unlike: async () => false });
  #texts = '';
  #usernames: ReadonlySet<string> = new Set();

  static async open(set: string): Promise<JudgedWorld> {
    const world = new JudgedWorld();
    if (set === 'sample') for (const record of await readSample()) world.#archive.apply(record);
    else await world.#import(join(realData, set));
    world.#readAll();
    return world;
  }

  async judge(judged: JudgedCase): Promise<Judgement> {
    const subject = await subjectOf(this.#platform, judged.tweet, { signal });
    const archive = archiveReader(this.#platform, { signal });
    const turns: Turn[] = [];
    for (const [n, prompt] of judged.prompts.entries()) {
      const reply = await provider.ask(
        { id: 'judge' },
        { subject, archive, turns: [...turns], prompt, model: '', suggest: null, extract: false },
        { signal, questions: 1 },
      );
      if (n === judged.prompts.length - 1) return judge(judged, reply, this.#factsOf(judged.tweet));
      turns.push({ prompt, answer: reply.summary });
    }
    throw new Error(`the case of tweet ${judged.tweet} has no question`);
  }

  #factsOf(id: string): Facts {
    const tweet = this.#archive.tweet(this.#archive.ordinal(id) ?? Number.NaN);
    const replies = [...(this.#archive.replies.get(id)?.sorted(this.#archive.order) ?? [])];
    return {
      tweet,
      author: this.#archive.user(tweet.author_id),
      replies: replies.map((ordinal) => this.#archive.tweet(ordinal)),
      usernameOf: (userId) => this.#archive.user(userId)?.username,
      texts: this.#texts,
      usernames: this.#usernames,
    };
  }

  async #import(folder: string): Promise<void> {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile() && /\.(?:json|jsonl|js)$/.test(path))
      .sort();
    for (const file of files) {
      // A file that is no data of a platform is none of the set.
      for (const input of await openInputs(file).catch(() => [])) await importInput(input, this.#sink).catch(() => {});
    }
  }

  readonly #sink = {
    resume: async () => undefined,
    apply: async (_fingerprint: unknown, _progress: unknown, records: readonly ArchiveRecord[]) =>
      records.map((record) => this.#archive.apply(record).outcome),
  };

  #readAll(): void {
    const texts: string[] = [];
    const usernames = new Set<string>();
    for (const ordinal of this.#archive.ordinals()) {
      const { author_id, text, article, card, entities, expanded_urls, in_reply_to_username } =
        this.#archive.tweet(ordinal);
      const author = this.#archive.user(author_id);
      const links = [
        ...(entities?.urls ?? []).flatMap(({ url, display_url }) => [url, display_url]),
        ...(expanded_urls ?? []),
      ];
      texts.push(
        [author?.name, text, article?.title, article?.text, card?.title, card?.description, card?.url, ...links].join(
          ' ',
        ),
      );
      for (const name of [
        author?.username,
        in_reply_to_username,
        ...(entities?.mentions ?? []).map(({ username }) => username),
      ])
        if (name !== undefined) usernames.add(name.toLowerCase());
    }
    this.#texts = texts.map(flat).join('\n');
    this.#usernames = usernames;
  }
}
