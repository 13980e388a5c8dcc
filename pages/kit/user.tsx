/** Users and communities as rows. */
import type { Community, Schemas, User } from '@social-data/client';
import type { VNode } from 'preact';
import { communityHref, userHref } from './address.ts';
import { compact, plural } from './format.ts';
import { Avatar } from './media.tsx';

export const Verified = (): VNode => (
  <span class="verified" role="img" aria-label="verified" title="Verified">
    ✓
  </span>
);

type Named = Pick<Schemas['AuthorShort'], 'name' | 'username'> & { readonly verified?: boolean };

/** The name and username as one link to the profile. */
export const UserName = ({ user }: { user: Named }): VNode => (
  <a class="user-name" href={userHref(user.username)}>
    <bdi class="name">{user.name}</bdi>
    {user.verified === true && <Verified />} <span class="username">@{user.username}</span>
  </a>
);

export const UserRow = ({ user }: { user: User }): VNode => (
  <article class="tweet-card user-row">
    <Avatar user={user} />
    <div>
      <UserName user={user} />
      {user.description !== '' && (
        <p class="text" dir="auto">
          {user.description}
        </p>
      )}
      <p class="facts">
        <span>
          <b>{compact(user.followers_count)}</b> followers
        </span>
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
