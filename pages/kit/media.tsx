/**
 * Pictures. They are on hosts of others, which would see the address of the reader, so a browser loads them only after the
 * reader agreed. Hosts below `.example` exist nowhere (RFC 2606): for the bundled sample the page draws a picture instead.
 */
import type { Schemas } from '@social-data/client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { baseUrl } from './address.ts';

type Media = Schemas['Media'];

const choiceName = 'social-data.pictures';
const choiceChanged = 'social-data:pictures';

function storedChoice(): boolean | undefined {
  try {
    const stored = localStorage.getItem(choiceName);
    return stored === null ? undefined : stored === 'yes';
  } catch {
    return undefined;
  }
}

function choose(agrees: boolean): void {
  try {
    localStorage.setItem(choiceName, agrees ? 'yes' : 'no');
  } catch {
    // Without storage the choice holds for this view.
  }
  dispatchEvent(new CustomEvent(choiceChanged, { detail: agrees }));
}

/** Whether the reader agreed to pictures from other hosts; undefined before the reader chose. */
function usePictures(): boolean | undefined {
  const [agrees, setAgrees] = useState(storedChoice);
  useEffect(() => {
    const update = (event: Event): void => setAgrees((event as CustomEvent<boolean>).detail);
    addEventListener(choiceChanged, update);
    return () => removeEventListener(choiceChanged, update);
  }, []);
  return agrees;
}

const isWeb = (url: string): boolean => /^https:\/\//i.test(url);
/** Files that the service has itself: nobody else sees who loads them. */
const isOwn = (url: string): boolean => url.startsWith('/media/');
const addressOf = (url: string): string => (isOwn(url) ? `${baseUrl}${url}` : url);
const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
};
/** Whether an address is invented, as all of the bundled sample. */
export const isInvented = (url: string): boolean => /(?:^|\.)example(?:\.(?:com|net|org))?$/.test(hostOf(url));

/** A number from 0 that is the same for the same text. */
export const numberOf = (text: string, count: number): number =>
  [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973, 7) % count;

const tones = 6;
/** A drawn landscape, different for each address. */
function Drawn({ seed, alt }: { seed: string; alt: string }): VNode {
  const [x, y, height] = [numberOf(`${seed}x`, 60) + 20, numberOf(`${seed}y`, 24) + 14, numberOf(`${seed}h`, 18)];
  return (
    <svg
      class={`drawn tone-${numberOf(seed, tones)}`}
      viewBox="0 0 100 64"
      preserveAspectRatio="xMidYMid slice"
      {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
    >
      <circle cx={x} cy={y} r="8" class="drawn-sun" />
      <path
        class="drawn-far"
        d={`M0 ${46 - height} Q 25 ${22 + height} 50 ${40 - height / 2} T 100 ${30 + height / 2} V64 H0Z`}
      />
      <path
        class="drawn-near"
        d={`M0 ${52 - height / 3} Q 30 ${36 + height} 60 ${50 - height / 4} T 100 ${44 + height / 3} V64 H0Z`}
      />
    </svg>
  );
}

const canShow = (url: string, agrees: boolean | undefined): boolean =>
  isOwn(url) || (agrees === true && isWeb(url) && !isInvented(url));

/**
 * A picture by its address. Pictures of the bundled sample are drawn. Of others, a reader who did not agree, or whose browser could
 * not load them, sees words instead; a picture that only decorates (without `alt`) is left out.
 */
export function Picture({ url, alt }: { url: string; alt: string }): VNode | null {
  const agrees = usePictures();
  const [isMissing, setMissing] = useState(false);
  if (isInvented(url)) return <Drawn seed={url} alt={alt} />;
  const isShown = canShow(url, agrees);
  if (alt === '' && (isMissing || !isShown)) return null;
  if (isMissing) return <span class="no-picture">The picture could not be loaded. {alt}</span>;
  if (!isShown) return <span class="no-picture">{alt}</span>;
  return (
    <img
      src={addressOf(url)}
      alt={alt}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setMissing(true)}
    />
  );
}

/** A medium where it is: a video with its controls, or a picture. `isWhole`: not cut to the place. */
export function Shown({ media, name, isWhole = false }: { media: Media; name: string; isWhole?: boolean }): VNode {
  const agrees = usePictures();
  const [isMissing, setMissing] = useState(false);
  const { type, url, video_url: video, alt_text: alt = name } = media;
  if (type === 'photo' || video === undefined || !canShow(video, agrees))
    return (
      <>
        <Picture url={url} alt={alt} />
        {isWhole && type !== 'photo' && <p class="hint">The video itself is not here.</p>}
      </>
    );
  if (isMissing) return <span class="no-picture">The video could not be loaded. {alt}</span>;
  return (
    <video
      src={addressOf(video)}
      poster={canShow(url, agrees) ? addressOf(url) : undefined}
      aria-label={alt}
      controls
      playsInline
      preload="none"
      loop={type === 'animated_gif'}
      onError={() => setMissing(true)}
    />
  );
}

/** A round picture of a user, or the initials. */
export function Avatar({
  user,
  size = '',
}: {
  user: Pick<Schemas['AuthorShort'], 'name' | 'username' | 'profile_image'>;
  size?: '' | 'small' | 'large';
}): VNode {
  const agrees = usePictures();
  const [isMissing, setMissing] = useState(false);
  const url = user.profile_image;
  const words = (user.name.trim() || user.username || '?').split(/\s+/u);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('');
  const showsPicture = agrees === true && !isMissing && isWeb(url) && !isInvented(url);
  return (
    <span class={`avatar ${size} tone-${numberOf(user.username, tones)}`} aria-hidden="true">
      {showsPicture ? (
        <img src={url} alt="" loading="lazy" referrerpolicy="no-referrer" onError={() => setMissing(true)} />
      ) : (
        initials.toLocaleUpperCase('en') || '?'
      )}
    </span>
  );
}

const names = { photo: 'Photo', video: 'Video', animated_gif: 'GIF' } as const;

/** Asks whether pictures from other hosts may be loaded, where there is one and the reader did not choose yet. */
export function PictureConsent({ urls }: { urls: readonly string[] }): VNode | null {
  const agrees = usePictures();
  if (agrees !== undefined || !urls.some((url) => isWeb(url) && !isInvented(url))) return null;
  return (
    <p class="consent hint">
      Pictures come from other hosts, which then see your address.{' '}
      <button type="button" class="small" onClick={() => choose(true)}>
        Show pictures
      </button>{' '}
      <button type="button" class="small" onClick={() => choose(false)}>
        Keep them off
      </button>
    </p>
  );
}

/** What a picture shows, in the words of its author, behind a button. */
function Description({ of, text }: { of: string; text: string }): VNode {
  return (
    <details class="alt">
      <summary aria-label={`ALT, description of ${of}`}>ALT</summary>
      <p dir="auto">{text}</p>
    </details>
  );
}

/** What a medium is: its kind, and its place among others. */
export const mediaName = ({ type }: Pick<Media, 'type'>, at: number, of: number): string =>
  `${names[type]}${of > 1 ? ` ${at + 1} of ${of}` : ''}`;

/** The address of a medium outside of this service; undefined where there is none, as in the bundled sample. */
export const outwardAddress = ({ url, expanded_url: page }: Media): string | undefined =>
  isInvented(url) ? undefined : [page, url].find((each) => each !== undefined && isWeb(each));

/** A medium, and the tweet that has it, where the page does not show that anyway. */
export interface Viewed {
  readonly media: Media;
  readonly tweetId?: string | undefined;
}

/** Shows media in front of the page, beginning with one of them. */
export type ShowMedia = (all: readonly Viewed[], first: number) => void;

/** The script beside this one, by an address that the bundler leaves alone. */
const lightbox = './lightbox.js';

export const showMedia: ShowMedia = (all, first) =>
  void (import(lightbox) as Promise<{ showMedia: ShowMedia }>).then((loaded) => loaded.showMedia(all, first));

/** One medium of a grid. A press shows it in front of the page; a video plays where it is. */
function Cell({ all, at }: { all: readonly Media[]; at: number }): VNode | null {
  const agrees = usePictures();
  const media = all[at];
  if (media === undefined) return null;
  const name = mediaName(media, at, all.length);
  const { type, video_url: video, alt_text: alt } = media;
  const plays = type !== 'photo' && video !== undefined && canShow(video, agrees);
  return (
    <li>
      {plays ? (
        <Shown media={media} name={name} />
      ) : (
        <button
          type="button"
          class="cell"
          onClick={() =>
            showMedia(
              all.map((each) => ({ media: each })),
              at,
            )
          }
        >
          <Picture url={media.url} alt={alt ?? name} />
          <span class="media-kind">{type === 'photo' ? name : `▶ ${name}`}</span>
        </button>
      )}
      {alt === undefined ? null : <Description of={name} text={alt} />}
    </li>
  );
}

/** The media of a tweet. */
export function MediaGrid({ media }: { media: readonly Media[] }): VNode | null {
  if (media.length === 0) return null;
  return (
    <>
      <ul class={`media-grid of-${Math.min(media.length, 4)}`} aria-label="Media">
        {media.map(({ url }, at) => (
          <Cell key={url} all={media} at={at} />
        ))}
      </ul>
      <PictureConsent urls={media.map(({ url }) => url)} />
    </>
  );
}
