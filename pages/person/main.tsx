/** The card of a user: who it is, and counts that lead on. Each user is read once for a page. */
import {
  Avatar,
  NotFoundError,
  Verified,
  client,
  compact,
  enteredKey,
  onKeyChange,
  render,
  userHref,
  type Schemas,
  type ShowPerson,
  type VNode,
} from '../kit/index.ts';

type Info = Schemas['UserInfo'];

/** How long a failure holds, in milliseconds: a list of links must not ask a busy service again and again. */
const failureMs = 30_000;
/** How long the card stays when the pointer has left, so that it can reach the card. */
const graceMs = 250;
/** The distance between the link and the card, and from the edges of the window, in pixels. */
const [distance, margin] = [6, 8];

const known = new Map<string, Promise<Info | undefined>>();
onKeyChange(() => known.clear());

/** The profile; undefined for a user without one. It is asked for once. Rejects as the client does. */
function infoOf(username: string): Promise<Info | undefined> {
  const key = username.toLowerCase();
  const before = known.get(key);
  if (before !== undefined) return before;
  // A username that consists of digits needs the @, otherwise it would be an id.
  const asked = client.user.info({ username: /^\d+$/.test(username) ? `@${username}` : username });
  const info = asked.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    setTimeout(() => known.delete(key), failureMs);
    throw error;
  });
  known.set(key, info);
  return info;
}

const countNames = [
  ['following_count', 'following', 'following', '?tab=Following'],
  ['followers_count', 'follower', 'followers', '?tab=Followers'],
  ['tweet_count', 'tweet', 'tweets', ''],
] as const;

/** The links in it are for the pointer: the keyboard has the link that the card describes, and the profile behind it. */
function Card({ username, info }: { username: string; info: Info | undefined }): VNode {
  const href = userHref(username);
  if (info === undefined)
    return (
      <>
        <p class="name">@{username}</p>
        <p class="hint">The profile is not in this archive.</p>
      </>
    );
  const { user, unknown_counts: unknown } = info;
  return (
    <>
      <div class="by person">
        <Avatar user={user} />
        <div>
          <bdi class="name">{user.name || user.username}</bdi>
          {(user.verified || user.is_blue_verified) && <Verified />}
          <p class="username">@{user.username}</p>
        </div>
      </div>
      {user.description !== '' && (
        <p class="text" dir="auto">
          {user.description}
        </p>
      )}
      <p class="facts">
        {countNames
          .filter(([name]) => !unknown.includes(name))
          .map(([name, one, many, part]) => (
            <a key={name} href={href + part} tabIndex={-1}>
              <b>{compact(user[name])}</b> {user[name] === 1 ? one : many}
            </a>
          ))}
      </p>
    </>
  );
}

/** The one card of the page. */
class PersonCard {
  readonly #place = document.createElement('div');
  #link: HTMLAnchorElement | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#place.id = 'person-card';
    this.#place.className = 'person-card';
    this.#place.role = 'tooltip';
    this.#place.popover = 'manual';
    document.body.append(this.#place);
    addEventListener('keydown', ({ key }) => void (key === 'Escape' && this.hide()));
    addEventListener('scroll', () => this.hide(), { passive: true });
    addEventListener('pagehide', () => this.hide());
    document.addEventListener('focusout', () => this.hide());
    document.addEventListener('pointerover', ({ target }) => this.#follow(target));
  }

  /** The card stays while the pointer is on the link or on the card. */
  #follow(target: EventTarget | null): void {
    if (this.#link === undefined) return;
    const isNear = target instanceof Node && (this.#link.contains(target) || this.#place.contains(target));
    clearTimeout(this.#leaving);
    if (!isNear && this.#link !== document.activeElement) this.#leaving = setTimeout(() => this.hide(), graceMs);
  }

  show(link: HTMLAnchorElement, username: string, info: Info | undefined): void {
    this.hide();
    this.#link = link;
    render(<Card username={username} info={info} />, this.#place);
    this.#place.showPopover();
    link.setAttribute('aria-describedby', this.#place.id);
    const { bottom, left, top } = link.getBoundingClientRect();
    const { offsetHeight: tall, offsetWidth: wide } = this.#place;
    const isBelow = bottom + distance + tall + margin <= innerHeight;
    this.#place.style.top = `${Math.max(margin, isBelow ? bottom + distance : top - distance - tall)}px`;
    this.#place.style.left = `${Math.max(margin, Math.min(left, innerWidth - wide - margin))}px`;
  }

  hide(): void {
    clearTimeout(this.#leaving);
    this.#link?.removeAttribute('aria-describedby');
    this.#link = undefined;
    if (this.#place.matches(':popover-open')) this.#place.hidePopover();
  }
}

let card: PersonCard | undefined;

/** Shows the card at a link, if the reader is still there when the profile has come. Without it there is none. */
export const showPerson: ShowPerson = (link, username) => {
  if (enteredKey() === '') return;
  infoOf(username).then(
    (info) => {
      if (!link.isConnected || (!link.matches(':hover') && link !== document.activeElement)) return;
      card ??= new PersonCard();
      card.show(link, username, info);
    },
    () => {},
  );
};
