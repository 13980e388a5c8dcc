/**
 * Pictures. They are on hosts of others, which would see the address of the reader, so a browser loads them only after the
 * reader agreed. Hosts below `.example` exist nowhere (RFC 2606): for the bundled sample the page draws a picture instead.
 */
import type { Schemas } from '@social-data/client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { baseUrl } from './address.ts';

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
const isInvented = (url: string): boolean => /(?:^|\.)example(?:\.(?:com|net|org))?$/.test(hostOf(url));

/** A number from 0 that is the same for the same text. */
export const numberOf = (text: string, count: number): number =>
  [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973, 7) % count;

const tones = 6;
/** A drawn landscape, different for each address. */
function Drawn({ seed }: { seed: string }): VNode {
  const [x, y, height] = [numberOf(`${seed}x`, 60) + 20, numberOf(`${seed}y`, 24) + 14, numberOf(`${seed}h`, 18)];
  return (
    <svg
      class={`drawn tone-${numberOf(seed, tones)}`}
      viewBox="0 0 100 64"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
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

/** A picture by its address, or a drawn one where the reader did not agree or there is none. */
export function Picture({ url, alt }: { url: string; alt: string }): VNode {
  const agrees = usePictures();
  const [isMissing, setMissing] = useState(false);
  const isShown = isOwn(url) || (agrees === true && isWeb(url) && !isInvented(url));
  if (isMissing || !isShown) return <Drawn seed={url} />;
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
      <summary aria-label={`Description of ${of}`}>ALT</summary>
      <p dir="auto">{text}</p>
    </details>
  );
}

/** The media of a tweet. Each links to itself. */
export function MediaGrid({ media }: { media: readonly Schemas['Media'][] }): VNode | null {
  if (media.length === 0) return null;
  return (
    <>
      <ul class={`media-grid of-${Math.min(media.length, 4)}`} aria-label="Media">
        {media.map(({ type, url, video_url: video, expanded_url: page, alt_text: alt }, index) => {
          const name = `${names[type]}${media.length > 1 ? ` ${index + 1} of ${media.length}` : ''}`;
          const target = addressOf(video ?? (isWeb(url) || isOwn(url) ? url : page) ?? '');
          const content = (
            <>
              <Picture url={url} alt={alt ?? name} />
              <span class="media-kind">{type === 'photo' ? name : `▶ ${name}`}</span>
            </>
          );
          return (
            <li key={url}>
              {/^https?:/i.test(target) ? (
                <a href={target} target="_blank" rel="noopener noreferrer nofollow">
                  {content}
                </a>
              ) : (
                content
              )}
              {alt === undefined ? null : <Description of={name} text={alt} />}
            </li>
          );
        })}
      </ul>
      <PictureConsent urls={media.map(({ url }) => url)} />
    </>
  );
}
