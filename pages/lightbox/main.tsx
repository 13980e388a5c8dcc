/** Pictures and videos in full size, one at a time, in front of the page. A page loads it at the first press of a picture. */
import {
  PictureConsent,
  Shown,
  mediaName,
  outwardAddress,
  render,
  tweetHref,
  useEffect,
  useRef,
  useState,
  type ShowMedia,
  type Viewed,
  type VNode,
} from '../kit/index.ts';

interface ControlProps {
  readonly of: number;
  readonly at: number;
  readonly shown: Viewed;
  readonly move: (by: number) => void;
  readonly close: () => void;
}

function Controls({ of, at, shown: { media, tweetId }, move, close }: ControlProps): VNode {
  const outward = outwardAddress(media);
  return (
    <div class="row spread">
      <span class="row">
        {of > 1 && (
          <>
            <button type="button" aria-label="Previous" onClick={() => move(-1)}>
              ‹
            </button>
            <span aria-live="polite">
              {at + 1} of {of}
            </span>
            <button type="button" aria-label="Next" onClick={() => move(1)}>
              ›
            </button>
          </>
        )}
      </span>
      <span class="row">
        {tweetId !== undefined && (
          <a class="button" href={tweetHref(tweetId)}>
            Tweet
          </a>
        )}
        {outward !== undefined && (
          <a class="button" href={outward} target="_blank" rel="noopener noreferrer nofollow">
            Original
          </a>
        )}
        <button type="button" onClick={() => close()}>
          Close
        </button>
      </span>
    </div>
  );
}

function Lightbox({ all, first, close }: { all: readonly Viewed[]; first: number; close: () => void }): VNode | null {
  const [at, setAt] = useState(first);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const shown = all[at];
  if (shown === undefined) return null;
  const { media } = shown;
  const move = (by: number): void => setAt((before) => (before + by + all.length) % all.length);
  const keys = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    // The arrows of a video move in time.
    if (by === undefined || all.length === 1 || event.target instanceof HTMLVideoElement) return;
    event.preventDefault();
    move(by);
  };
  return (
    <dialog
      class="lightbox"
      ref={dialog}
      aria-label={mediaName(media, at, all.length)}
      onClose={close}
      onKeyDown={keys}
      onClick={({ target, currentTarget }) => void (target === currentTarget && dialog.current?.close())}
    >
      <div class="lightbox-view" key={at}>
        <Shown media={media} name={mediaName(media, at, all.length)} isWhole />
      </div>
      {media.alt_text !== undefined && (
        <p class="lightbox-text" dir="auto">
          {media.alt_text}
        </p>
      )}
      <PictureConsent urls={[media.url]} />
      <Controls of={all.length} at={at} shown={shown} move={move} close={() => dialog.current?.close()} />
    </dialog>
  );
}

/** Shows media in front of the page, beginning with one of them. The focus returns to where it was. */
export const showMedia: ShowMedia = (all, first) => {
  const opener = document.activeElement;
  const place = document.body.appendChild(document.createElement('div'));
  const close = (): void => {
    render(null, place);
    place.remove();
    if (opener instanceof HTMLElement) opener.focus();
  };
  render(<Lightbox all={all} first={first} close={close} />, place);
};
