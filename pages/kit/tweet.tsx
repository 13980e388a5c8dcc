/** Tweets as cards. Every author, mention, tag, link, medium and id leads on. */
import { postUrl, type Schemas } from '@social-data/client';
import type { TargetedMouseEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { askHref, placeOf, searchHref, tweetHref, tweetPartHref, userHref } from './address.ts';
import { age, compact, longTime, plural } from './format.ts';
import { linkText } from './link-text.ts';
import type { AnyTweet } from './live.tsx';
import { Avatar, isInvented, MediaGrid, Picture } from './media.tsx';
import { piecesOf, type Piece } from './text-pieces.ts';
import { nameOf, UserLink, UserName } from './user.tsx';

type Tweet = Schemas['Tweet'];
const isFull = (tweet: AnyTweet): tweet is Tweet => 'media' in tweet;

const External = ({ href, children }: { href: string; children: string }): VNode => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow">
    {children}
  </a>
);

function PieceView({ piece, links }: { piece: Piece; links: readonly Schemas['UrlEntity'][] }): VNode {
  const { is, text } = piece;
  if (is === 'plain') return <>{text}</>;
  const place = is === 'link' ? placeOf(text) : undefined;
  if (place !== undefined) return <a href={place.href}>{place.words}</a>;
  if (is === 'link')
    return <External href={text}>{linkText(text, links.find(({ url }) => url === text)?.display_url)}</External>;
  return <a href={text.startsWith('@') ? userHref(text) : searchHref(text)}>{text}</a>;
}

/** A text whose mentions, tags and links lead on. */
export const LinkedText = ({ text, links = [] }: { text: string; links?: readonly Schemas['UrlEntity'][] }): VNode => (
  <p class="text" dir="auto">
    {piecesOf(text).map((piece, index) => (
      <PieceView key={index} piece={piece} links={links} />
    ))}
  </p>
);

export const TweetText = ({ tweet }: { tweet: AnyTweet }): VNode => (
  <LinkedText text={tweet.text} links={isFull(tweet) ? tweet.entities.urls : []} />
);

/** From so many characters or lines a text in a list is folded. */
const [longCharacters, longLines] = [600, 12];

/** The text of a tweet in a list. A long one is folded until the reader opens it. */
function FoldedText({ tweet }: { tweet: AnyTweet }): VNode {
  const [isOpen, setOpen] = useState(false);
  const isLong = tweet.text.length > longCharacters || tweet.text.split('\n').length > longLines;
  if (!isLong || isOpen) return <TweetText tweet={tweet} />;
  return (
    <>
      <div class="folded">
        <TweetText tweet={tweet} />
      </div>
      <button type="button" class="small" onClick={() => setOpen(true)}>
        Show the whole text
      </button>
    </>
  );
}

function CardView({ card }: { card: Schemas['Card'] }): VNode {
  const content = (
    <>
      {card.image !== undefined && (
        <span class="card-image">
          <Picture url={card.image} alt="" />
        </span>
      )}
      <span class="card-text">
        <span class="hint">{linkText(card.url, card.domain)}</span>
        <bdi class="name">{card.title}</bdi>
        {card.description !== undefined && <bdi class="card-description">{card.description}</bdi>}
      </span>
    </>
  );
  return /^https?:\/\//i.test(card.url) ? (
    <a class="link-card" href={card.url} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  ) : (
    <div class="link-card">{content}</div>
  );
}

type Opener = (event: TargetedMouseEvent<HTMLElement>) => void;
/** Elements that handle their own clicks. */
const ownClicks = 'a, button, summary, details, input, video, dialog';

/**
 * Opens a page by a click anywhere on an element, besides elements that handle their own clicks, and unless the reader selects text. With the
 * middle button or Ctrl it is a new tab, as with a link. Keyboards and screen readers use the link of the time.
 */
function opening(href: string): { readonly onClick: Opener; readonly onAuxClick: Opener } {
  const open: Opener = (event) => {
    const { currentTarget, button, ctrlKey, metaKey, shiftKey } = event;
    if (button > 1 || event.defaultPrevented || getSelection()?.isCollapsed === false) return;
    // The path is that of the click: what was clicked may have left the page since, as a button that shows pictures does.
    const path = event.composedPath();
    const inside = path.slice(0, path.indexOf(currentTarget));
    if (inside.some((each) => each instanceof Element && each.matches(ownClicks))) return;
    event.preventDefault();
    if (button === 1 || ctrlKey || metaKey || shiftKey) window.open(href, '_blank', 'noopener');
    else location.assign(href);
  };
  return { onClick: open, onAuxClick: open };
}

/** A tweet inside another one: quoted. */
const Quoted = ({ tweet }: { tweet: Tweet }): VNode => (
  <blockquote class="quoted" {...opening(tweetHref(tweet.id))}>
    <div class="by">
      <Avatar user={tweet.author} size="small" />
      <UserName user={tweet.author} />
      <a class="time" href={tweetHref(tweet.id)} title={longTime(tweet.created_at)}>
        {age(tweet.created_at)}
      </a>
    </div>
    <FoldedText tweet={tweet} />
    <MediaGrid media={tweet.media} />
    {tweet.card !== undefined && <CardView card={tweet.card} />}
  </blockquote>
);

/** The names of the counts, and the part of the page of the tweet that lists what is counted. */
const counts = [
  ['reply_count', 'reply', 'replies', 'Replies'],
  ['retweet_count', 'retweet', 'retweets', 'Retweeters'],
  ['quote_count', 'quote', 'quotes', 'Quotes'],
  ['like_count', 'like', 'likes', undefined],
  ['bookmark_count', 'bookmark', 'bookmarks', undefined],
  ['view_count', 'view', 'views', undefined],
] as const;

/** The counts of a tweet. Zeros are left out, but those that are known to be zero. */
export const Counts = ({ tweet, unknown }: { tweet: AnyTweet; unknown?: readonly string[] }): VNode => (
  <div class="facts">
    {counts
      .filter(([name]) => tweet[name] > 0 || unknown?.includes(name) === false)
      .map(([name, one, many, tab]) => {
        const words = (
          <>
            <b>{compact(tweet[name])}</b> {tweet[name] === 1 ? one : many}
          </>
        );
        const title = plural(tweet[name], one, many);
        return tab === undefined ? (
          <span key={name} title={title}>
            {words}
          </span>
        ) : (
          <a key={name} title={title} href={tweetPartHref(tweet.id, tab)}>
            {words}
          </a>
        );
      })}
  </div>
);

/** Where a tweet was posted; undefined for tweets of the bundled sample, whose authors exist nowhere. */
export const originOf = (tweet: AnyTweet): string | undefined =>
  isInvented(tweet.author.profile_image) ? undefined : postUrl(tweet);

/** The actions of a tweet: ask about it, open it where it was posted. */
function Actions({ tweet }: { tweet: AnyTweet }): VNode {
  const origin = originOf(tweet);
  return (
    <div class="actions">
      <a href={askHref(tweet.id)}>Ask about it</a>
      {origin !== undefined && <External href={origin}>Original</External>}
    </div>
  );
}

/** What a tweet contains beside its text. */
export const TweetExtras = ({ tweet }: { tweet: AnyTweet }): VNode | null =>
  isFull(tweet) ? (
    <>
      <MediaGrid media={tweet.media} />
      {tweet.card !== undefined && <CardView card={tweet.card} />}
      {tweet.article !== undefined && (
        <details class="article">
          <summary>
            Article: <bdi class="name">{tweet.article.title}</bdi>
          </summary>
          <p class="text" dir="auto">
            {tweet.article.text}
          </p>
        </details>
      )}
      {tweet.quoted_tweet !== null && <Quoted tweet={tweet.quoted_tweet} />}
    </>
  ) : null;

/** A tweet in a list. A retweet shows the tweet that it repeats, and who did it. */
export function TweetCard({ tweet, isNew = false }: { tweet: AnyTweet; isNew?: boolean }): VNode {
  const repeated = isFull(tweet) ? tweet.retweeted_tweet : null;
  const shown = repeated ?? tweet;
  return (
    <article class={isNew ? 'tweet-card new' : 'tweet-card'} {...opening(tweetHref(shown.id))}>
      {repeated !== null && (
        <p class="retweeted">
          <UserLink user={tweet.author}>
            <bdi>{nameOf(tweet.author)}</bdi> retweeted
          </UserLink>
        </p>
      )}
      <UserLink class="face" user={shown.author} tabIndex={-1} aria-hidden>
        <Avatar user={shown.author} />
      </UserLink>
      <div class="tweet-body">
        <div class="by">
          <UserName user={shown.author} />
          <a class="time" href={tweetHref(shown.id)} title={longTime(shown.created_at)}>
            <time dateTime={shown.created_at}>{age(shown.created_at)}</time>
          </a>
        </div>
        <FoldedText tweet={shown} />
        <TweetExtras tweet={shown} />
        <div class="below">
          <Counts tweet={shown} />
          <Actions tweet={shown} />
        </div>
      </div>
    </article>
  );
}
