/** A personal archive of X: which of its files are imported, in which order, and what is left out. */
import { NoteTexts } from '../formats/note-tweets.ts';
import {
  OwnerClues,
  isPersonal,
  observedAtOfManifest,
  ownerOfAccount,
  profileOf,
  userOfHeader,
  type Owner,
} from '../formats/personal.ts';
import { isFields, type Fields } from '../formats/recognised.ts';
import { firstIn, InputError, objectsIn, type Input, type LeftOut } from './input-file.ts';

/** The files in the data folder of a personal archive, unpacked or in a zip archive. */
export interface ArchiveFiles {
  /** The path that the operator named. */
  readonly path: string;
  readonly names: ReadonlySet<string>;
  /** The names of the folders beside them. */
  readonly folders: readonly string[];
  /** The names of files with CSV that belong to the archive. */
  readonly tables?: readonly string[];
  /** Opens a file of `names`. Rejects with InputError. */
  open(name: string): Promise<Input>;
  /** The size of a file of `names`. */
  bytes(name: string): Promise<number>;
}

/** The files whose elements are imported, in this order; large files have several parts. */
const imported = ['tweets?', 'like', 'following', 'follower'].map(
  (name) => new RegExp(`^${name}(?:-part(\\d+))?\\.js$`),
);
const [tweetFile = /^$/] = imported;
const noteFile = /^note-tweet(?:-part(\d+))?\.js$/;
/** The files that only say something about the others. */
const consulted = new Set(['account.js', 'profile.js', 'manifest.js', 'tweet-headers.js']);

/** Whether a file has elements that are imported. */
export const isImported = (name: string): boolean => imported.some((pattern) => pattern.test(name));
/** What a folder or a zip archive is searched for, for a message. */
export const expectedFiles = 'tweets.js, like.js, following.js or follower.js in data, or data/js/tweets';

/** The files of a pattern, in the order of their parts. */
const matching = (names: Iterable<string>, pattern: RegExp): string[] => {
  const part = (name: string): number => Number(pattern.exec(name)?.[1] ?? 0);
  return [...names].filter((name) => pattern.test(name)).toSorted((a, b) => part(a) - part(b));
};

/** Why some files are left out. */
const leftOutReasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^deleted-/, 'deleted by their author'],
  [/^direct-message/, 'private'],
];
/** The folders whose files are stored with their tweets: see archive-media.ts. */
const mediaFolders = /^(?:tweets?|community_tweet)_media$/;
/** Names in a personal archive; others belong to somebody else. */
const ordinaryName = /^[a-z0-9][a-z0-9_-]{0,99}(?:\.js)?$/i;

/** The files and folders that are not imported, by name. Files with an empty list are not mentioned. */
async function leftOutOf(files: ArchiveFiles): Promise<LeftOut[]> {
  const isTaken = (name: string): boolean => consulted.has(name) || noteFile.test(name) || isImported(name);
  const others: string[] = [];
  for (const name of [...files.names].filter((each) => each.endsWith('.js') && !isTaken(each))) {
    const emptyFile = `window.YTD.${name}.part0 = [ ]\n`;
    if ((await files.bytes(name)) > emptyFile.length) others.push(name);
  }
  return [...others, ...files.folders.filter((name) => !mediaFolders.test(name))]
    .filter((name) => ordinaryName.test(name))
    .toSorted()
    .map((name) => {
      const reason = leftOutReasons.find(([pattern]) => pattern.test(name))?.[1];
      return reason === undefined ? { name } : { name, reason };
    });
}

/**
 * Opens the files of a personal archive: tweets, likes, and who follows whom. Rejects with InputError if the owner is
 * unknown.
 */
export async function openPersonal(files: ArchiveFiles): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const pattern of imported)
    for (const name of matching(files.names, pattern)) inputs.push(await files.open(name));
  const tweets = inputs.slice(0, matching(files.names, tweetFile).length);
  const owner = await ownerOf(files, tweets);
  const notes = new NoteTexts();
  for (const name of matching(files.names, noteFile))
    for await (const value of objectsIn(await files.open(name))) {
      if (!notes.add(value)) throw new InputError(`${files.path}: the long tweets of ${name} are too large`);
    }
  const seenAt = await firstOf(files, 'manifest.js', observedAtOfManifest);
  const leftOut = await leftOutOf(files);
  return inputs.map((input, index) => ({
    ...input,
    owner,
    notes,
    seenAt: seenAt ?? input.seenAt,
    ...(index === 0 ? { leftOut } : {}),
  }));
}

/** The first result of `find` in a file; undefined if there is no such file. */
export const firstOf = async <Found>(
  files: ArchiveFiles,
  name: string,
  find: (value: Fields) => Found | undefined,
): Promise<Found | undefined> => (files.names.has(name) ? firstIn(await files.open(name), find) : undefined);

async function ownerOf(files: ArchiveFiles, tweets: Input[]): Promise<Owner | undefined> {
  const account = await firstOf(files, 'account.js', ownerOfAccount);
  // Likes need no owner; the report says of the others that they need one.
  if (account === undefined && tweets.length === 0) return undefined;
  const owner = account ?? (await ownerOfTweets(tweets, true, await firstOf(files, 'tweet-headers.js', userOfHeader)));
  return owner && { ...owner, ...(await firstOf(files, 'profile.js', profileOf)) };
}

/**
 * Finds the owner of a personal archive from its tweets; undefined if the first value is not a status of a personal
 * archive, unless `certain`. `userId`: the id of the owner, if known. Throws InputError if the tweets do not
 * identify the owner.
 */
export async function ownerOfTweets(inputs: Input[], certain = false, userId?: string): Promise<Owner | undefined> {
  const clues = new OwnerClues(userId);
  for (const input of inputs) {
    let isFirst = !certain;
    for await (const value of objectsIn(input)) {
      if (isFirst && !(isPersonal(value) && isFields(value.tweet))) return undefined;
      isFirst = false;
      clues.add(value);
    }
    if (isFirst) return undefined;
  }
  const owner = clues.owner();
  if (owner !== undefined) return owner;
  const missing = 'the tweets of this personal archive do not name their author; put account.js into the same folder';
  throw new InputError(`${inputs[0]!.name}: ${missing} and import the folder`);
}
