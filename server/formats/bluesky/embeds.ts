/** What a post embeds: pictures, a video, a link with a preview, another post. */
import type { Schemas } from '../../contract/operations.ts';
import { altText, fields, freeText, list, text, withoutUndefined, type Fields } from '../recognised.ts';
import { postUri } from '../../domain/at-uri.ts';
import { webUrl } from './facets.ts';

/** The forms in which the platform serves a picture. */
export type ImagePreset = 'feed_fullsize' | 'feed_thumbnail' | 'avatar' | 'banner';

/** Where the platform serves blobs, with `{preset}`, `{did}` and `{cid}` in the place of the variable parts. */
export interface BlobUrls {
  readonly image: string;
  readonly videoThumbnail: string;
}

export const defaultBlobUrls: BlobUrls = {
  image: 'https://cdn.bsky.app/img/{preset}/plain/{did}/{cid}@jpeg',
  videoThumbnail: 'https://video.bsky.app/watch/{did}/{cid}/thumbnail.jpg',
};

export interface Embedded {
  readonly media: readonly Schemas['Media'][];
  readonly card: Schemas['Card'] | undefined;
  /** The at-uri of the quoted post. */
  readonly quoted: string | undefined;
}

const nothing: Embedded = { media: [], card: undefined, quoted: undefined };

/** Hosts that serve animated pictures: the platform's app embeds them as links. */
const animationHosts = new Set(['media.tenor.com', 'static.klipy.com', 'media.giphy.com', 'i.giphy.com']);

/** The URL of a picture; undefined where the blob has no valid content identifier. */
export function imageUrl(urls: BlobUrls, preset: ImagePreset, did: string, blob: unknown): string | undefined {
  const cid = cidOf(blob);
  return cid === undefined ? undefined : fill(urls.image, { preset, did, cid });
}

/** The content identifier of a blob, in the current and in the first form of blobs. */
function cidOf(blob: unknown): string | undefined {
  const cid = text(fields(fields(blob).ref).$link) ?? text(fields(blob).cid);
  return cid !== undefined && /^[A-Za-z0-9]{8,200}$/.test(cid) ? cid : undefined;
}

const fill = (pattern: string, parts: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);

/** Reads the embed of a post record. `page`: the web page of the post. */
export function readEmbed(embed: unknown, did: string, page: string, urls: BlobUrls): Embedded {
  const value = fields(embed);
  switch (value.$type) {
    case 'app.bsky.embed.images':
      return { ...nothing, media: photos(list(value.images), did, urls) };
    case 'app.bsky.embed.gallery':
      return { ...nothing, media: photos(list(value.items), did, urls) };
    case 'app.bsky.embed.video':
      return { ...nothing, media: video(value, did, page, urls) };
    case 'app.bsky.embed.external':
      return external(fields(value.external), did, urls);
    case 'app.bsky.embed.record':
      return { ...nothing, quoted: postUri(fields(value.record).uri) };
    case 'app.bsky.embed.recordWithMedia': {
      const quoted = postUri(fields(fields(value.record).record).uri);
      const media = fields(value.media);
      // The lexicon does not permit more nesting.
      return media.$type === value.$type ? { ...nothing, quoted } : { ...readEmbed(media, did, page, urls), quoted };
    }
    default:
      return nothing;
  }
}

const photos = (images: readonly Fields[], did: string, urls: BlobUrls): Schemas['Media'][] =>
  images.slice(0, 100).flatMap(({ image, alt }): Schemas['Media'][] => {
    const url = imageUrl(urls, 'feed_fullsize', did, image);
    return url === undefined ? [] : [withoutUndefined({ type: 'photo', url, alt_text: altText(alt) })];
  });

/** The platform serves a video as a playlist for streaming, not as the MP4 that the contract describes. */
function video(value: Fields, did: string, page: string, urls: BlobUrls): Schemas['Media'][] {
  const cid = cidOf(value.video);
  if (cid === undefined) return [];
  const url = fill(urls.videoThumbnail, { did: encodeURIComponent(did), cid });
  const type = value.presentation === 'gif' ? 'animated_gif' : 'video';
  return [withoutUndefined({ type, url, expanded_url: page, alt_text: altText(value.alt) })];
}

function external(value: Fields, did: string, urls: BlobUrls): Embedded {
  const url = webUrl(value.uri);
  if (url === undefined) return nothing;
  const domain = new URL(url).hostname;
  if (animationHosts.has(domain)) {
    // The platform's app writes the description behind this word.
    const alt_text = altText(/^alt: ([\s\S]*)$/i.exec(freeText(value.description) ?? '')?.[1]);
    return { ...nothing, media: [withoutUndefined({ type: 'animated_gif', url, alt_text })] };
  }
  const card = withoutUndefined({
    url,
    title: (freeText(value.title) ?? '').slice(0, 10_000),
    description: freeText(value.description),
    image: imageUrl(urls, 'feed_thumbnail', did, value.thumb),
    domain,
  });
  return { ...nothing, card };
}
