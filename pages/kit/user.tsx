/** Users and communities as rows. */
import type { Community, Schemas, User } from '@social-data/client';
import type { ComponentChildren, VNode } from 'preact';
import { communityHref, userHref } from './address.ts';
import { compact, plural } from './format.ts';
import { Avatar } from './media.tsx';

export const Verified = (): VNode => (
  <span class="verified" role="img" aria-label="verified" title="Verified">
    ✓
  </span>
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
    <a {...attributes} href={userHref(user.username)}>
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

export const CommunityRow = ({ community }: { community: Community }): VNode => (
  <article class="tweet-card user-row">
    <Avatar user={{ name: community.name, username: community.id, profile_image: '' }} />
    <div>
      <a class="user-name" href={communityHref(community.id)}>
        <bdi class="name">{community.name}</bdi>
      </a>
      <p class="text" dir="auto">
        {community.description}
      </p>
      <p class="facts">
        <span>{plural(community.member_count, 'member')}</span>
        <span>{community.role}</span>
        <span>{community.join_policy}</span>
      </p>
    </div>
  </article>
);
