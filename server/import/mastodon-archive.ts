/** The export of an account of Mastodon, as a zip archive or a folder: which of its files are imported, and in which order. */
import type { ArchivedTweet } from '../domain/records.ts';
import type { MediaFiles } from '../storage/media-files.ts';
import { storeMedia, type MediaPlace } from './archive-media.ts';
import { treeOf, type TreeFile } from './archive-tree.ts';
import { attachmentPath, isMastodon, mastodon } from '../formats/mastodon.ts';
import { list, type Fields, type Recognised } from '../formats/recognised.ts';
import { objectsIn, type Input, type LeftOut } from './input-file.ts';

/** The files in the order of their import. Bookmarks and the followed accounts in CSV are private. */
const imported = ['actor.json', 'outbox.json', 'likes.json'];
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const isImported = (path: string): boolean => path.split('/').length <= 2 && imported.includes(nameOf(path));

/** Whether a zip archive or a folder is such an export. Rejects with InputError where a zip archive cannot be read. */
export const isMastodonArchive = async (path: string): Promise<boolean> => {
  const found = await treeOf(path, isImported, 1);
  return ['actor.json', 'outbox.json'].every((name) => found.some((file) => nameOf(file.path) === name));
};

/** The posts of the archive that have attachments with files, by the path of the file: not those that are not public. */
async function placesIn(outbox: TreeFile): Promise<Map<string, MediaPlace>> {
  const places = new Map<string, MediaPlace>();
  const add = (activity: Fields): void => {
    const tweets = isMastodon(activity) ? mastodon(activity).flatMap(tweetsOf) : [];
    for (const { id, media = [] } of tweets)
      for (const { url } of media) {
        const path = attachmentPath(url);
        if (path !== undefined) places.set(path, { tweetId: id, key: nameOf(path) });
      }
  };
  for await (const value of objectsIn(await outbox.input()))
    for (const activity of 'orderedItems' in value ? list(value.orderedItems) : [value]) add(activity);
  return places;
}

const tweetsOf = (element: Recognised): ArchivedTweet[] =>
  'records' in element ? element.records.flatMap((record) => (record.kind === 'tweet' ? [record.tweet] : [])) : [];

/** Opens the files of an export. `files`: where its media files are stored; undefined: nowhere. Rejects with InputError. */
export async function openMastodon(
  path: string,
  files: MediaFiles | undefined,
  signal: AbortSignal | undefined,
): Promise<Input[]> {
  const tree = await treeOf(path, (name) => isImported(name) || attachmentPath(name) !== undefined);
  const outbox = tree.find((file) => nameOf(file.path) === 'outbox.json');
  const places = outbox === undefined ? new Map<string, MediaPlace>() : await placesIn(outbox);
  const placeOf = (name: string): MediaPlace | undefined => places.get(attachmentPath(name) ?? '');
  const stored = files === undefined ? undefined : await storeMedia(tree, placeOf, files, signal);
  const inputs: Input[] = [];
  for (const name of imported)
    for (const file of tree.filter((each) => nameOf(each.path) === name && isImported(each.path))) {
      const leftOut: readonly LeftOut[] = inputs.length === 0 ? (stored?.leftOut ?? []) : [];
      const input = await file.input();
      inputs.push({ ...input, ...(stored && { media: stored.names }), ...(leftOut.length > 0 && { leftOut }) });
    }
  return inputs;
}
