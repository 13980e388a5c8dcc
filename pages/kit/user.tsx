/** Users as rows. */
import type { Schemas, User } from '@social-data/client';
import type { ComponentChildren, VNode } from 'preact';
import { userHref } from './address.ts';
import { compact } from './format.ts';
import { cardAttribute } from './hover.ts';
import { Avatar } from './media.tsx';

export const Verified = (): VNode => (
  <svg class="verified" role="img" aria-label="verified" viewBox="0 0 24 24">
    <circle cx="12" cy="12" r="11" />
    <path d="m7 12.5 3.3 3.3L17 9" />
  </svg>
);

type Named = Pick<Schemas['AuthorShort'], 'name' | 'username'> & { readonly verified?: boolean };

/** The name of a user. The archive can have only the id of an author, without a profile. */
export const nameOf = ({ name, username }: Named): string => name || username || 'Unknown author';

/** Content as a link to the profile. A user without a username has no profile page. */
export const UserLink = ({
  user,
  children,
  ...attributes
}: {
  user: Named;
  children: ComponentChildren;
  class?: string;
  tabIndex?: number;
  'aria-hidden'?: boolean;
}): VNode =>
  user.username === '' ? (
    <span {...attributes}>{children}</span>
  ) : (
    <a {...attributes} {...{ [cardAttribute]: user.username }} href={userHref(user.username)}>
      {children}
    </a>
  );

/** The name and username as one link to the profile. */
export const UserName = ({ user }: { user: Named }): VNode => (
  <UserLink class="user-name" user={user}>
    <bdi class="name">{nameOf(user)}</bdi>
    {user.verified === true && <Verified />} {user.username !== '' && <span class="username">@{user.username}</span>}
  </UserLink>
);

export const UserRow = ({ user }: { user: User }): VNode => (
  <article class="tweet-card user-row">
    <UserLink class="face" user={user} tabIndex={-1} aria-hidden>
      <Avatar user={user} />
    </UserLink>
    <div>
      <UserName user={user} />
      {user.description !== '' && (
        <p class="text" dir="auto">
          {user.description}
        </p>
      )}
      <p class="facts">
        <a href={`${userHref(user.username)}?tab=Followers`}>
          <b>{compact(user.followers_count)}</b> followers
        </a>
        {user.location !== '' && <span>{user.location}</span>}
      </p>
    </div>
  </article>
);
