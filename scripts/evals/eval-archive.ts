/** The archives of the evals: the bundled sample, written ones, and real data beside the repository. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { archiveReader } from '../../server/assistant/archive-reader.ts';
import { localProvider } from '../../server/assistant/providers/local.ts';
import { contextOf, queryOf, sceneOf } from '../../server/assistant/providers/local/context.ts';
import { languageOfQuestion } from '../../server/assistant/providers/local/languages.ts';
import { requestOf } from '../../server/assistant/providers/local/question.ts';
import { matchesOf } from '../../server/assistant/providers/local/ranking.ts';
import { subjectOf } from '../../server/assistant/subject.ts';
import { readSample } from '../../server/demo/seed-sample.ts';
import type { ArchiveRecord, ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { Turn } from '../../server/ports/assistant-provider.ts';
import { AnswerReader } from '../../test/assistant/truth/reader.ts';
import { openArchiveOf, type ServiceArchive } from '../../test/support/stored-archive.ts';
import { glen } from './archives/glen.ts';
import { harbour } from './archives/harbour.ts';
import { market } from './archives/market.ts';
import { town } from './archives/town.ts';
import { valley } from './archives/valley.ts';
import type { RankingExample } from './fit.ts';
import { grade, type Facts, type EvalCase, type EvalSet, type EvalResult } from './rubric.ts';

/** The folder of the real data sets; cases over them run only where it exists. */
const realData = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const { signal } = new AbortController();
const provider = localProvider();
const written: Readonly<Partial<Record<EvalSet, () => Promise<readonly ArchiveRecord[]>>>> = {
  sample: readSample,
  town: async () => town,
  harbour: async () => harbour,
  market: async () => market,
  valley: async () => valley,
  glen: async () => glen,
  paraphrased: () => recordsIn('paraphrased.jsonl'),
  everyday: () => recordsIn('everyday.jsonl'),
};

async function recordsIn(name: string): Promise<ArchiveRecord[]> {
  const lines = await readFile(new URL(`archives/${name}`, import.meta.url), 'utf8');
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ArchiveRecord);
}

export const isPresent = (set: EvalSet): boolean => set in written || existsSync(join(realData, set));

/** One archive, in a SQLite file until `close`. */
export class EvalArchive {
  readonly #archive: ServiceArchive;
  #tweets: ReadonlyMap<string, ArchivedTweet> = new Map();
  #users: ReadonlyMap<string, ArchivedUser> = new Map();

  private constructor(archive: ServiceArchive) {
    this.#archive = archive;
  }

  static async open(set: EvalSet): Promise<EvalArchive> {
    const records = await written[set]?.();
    const archive = await openArchiveOf(records ?? []);
    const opened = new EvalArchive(archive);
    if (records === undefined) await opened.#import(join(realData, set));
    const { content } = archive;
    const tweets = content.tweetIds.flatMap((id) => content.tweet(id) ?? []);
    const users = content.profileIds.flatMap((id) => content.profile(id) ?? []);
    opened.#tweets = new Map(tweets.map((tweet) => [tweet.id, tweet]));
    const described = new Map(users.map((user) => [user.id, user]));
    // Of some authors the archive knows only the names.
    for (const { id, author_id } of tweets)
      if (!described.has(author_id)) described.set(author_id, (await archive.platform.tweet(id)).author);
    opened.#users = described;
    return opened;
  }

  close(): Promise<void> {
    return this.#archive.close();
  }

  async run(given: EvalCase): Promise<EvalResult> {
    const subject = await subjectOf(this.#archive.platform, given.tweet, { signal });
    const archive = archiveReader(this.#archive.platform, { signal });
    const turns: Turn[] = [];
    for (const [n, prompt] of given.prompts.entries()) {
      const reply = await provider.ask(
        { id: 'evals' },
        { subject, archive, turns: [...turns], prompt, model: '', suggest: null, extract: false },
        { signal, questions: 1 },
      );
      if (n === given.prompts.length - 1) return grade(given, reply, this.#factsOf(given.tweet));
      turns.push({ prompt, answer: reply.summary });
    }
    throw new Error(`the case of tweet ${given.tweet} has no question`);
  }

  /** What the ranking knows of the passages around a tweet for a question; undefined where another answer is given. */
  async example({ tweet, prompts, sources = [], any = [] }: EvalCase): Promise<RankingExample | undefined> {
    const [prompt] = prompts;
    if (prompts.length > 1 || typeof prompt !== 'string') return undefined;
    const { platform } = this.#archive;
    const scene = sceneOf(await subjectOf(platform, tweet, { signal }), archiveReader(platform, { signal }));
    const language = languageOfQuestion(prompt, scene.languageOf(scene.tree.sourceNode));
    const context = await contextOf(scene, language, prompt);
    const situation = { previous: undefined, hasItems: false, hasReplies: scene.tree.reactions.length > 0 };
    const request = requestOf(prompt, language, context.lexis, situation);
    if (request.kind !== 'search') return undefined;
    const matches = matchesOf(context.candidates, queryOf(context, request.terms, request.fact), context);
    const posts = context.candidates.map(({ node }) => node.post.id);
    return { posts, signals: matches.map(({ signals }) => signals), sources: new Set([...sources, ...any]) };
  }

  #factsOf(about: string): Facts {
    const tweet = this.#tweets.get(about);
    if (tweet === undefined) throw new Error(`the archive has no tweet ${about}`);
    const reader = new AnswerReader({ tweets: this.#tweets, users: this.#users, about });
    // The reader knows the English sentences; of the others it checks the quotations.
    return { tweet, author: this.#users.get(tweet.author_id), faults: (answer) => reader.faultsInAnyLanguage(answer) };
  }

  async #import(folder: string): Promise<void> {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile() && /\.(?:json|jsonl|js)$/.test(path))
      .sort();
    for (const file of files) {
      // A file that is no data of a platform is none of the set.
      for (const input of await openInputs(file).catch(() => []))
        await importInput(input, this.#archive.sink).catch(() => {});
    }
  }
}
