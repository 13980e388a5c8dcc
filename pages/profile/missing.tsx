/** What a reader sees for a name that nothing in the archive has: the users that may be meant, and where to go. */
import { Nothing, UserRow, client, root, searchHref, useLoaded, type User, type VNode } from '../kit/index.ts';
import { isUsername } from '../../server/text/username.ts';

/** The host of accounts on Bluesky that chose no domain of their own. */
const usualHost = '.bsky.social';

/** Other usernames that a reader may mean: with and without the host of Bluesky, and without the name of the platform. */
export function similarNames(username: string): string[] {
  const name = username
    .replace(/^(?:bluesky|bsky|x|twitter|https?):(?:\/\/[^/]*\/(?:profile\/)?)?@?/i, '')
    .toLowerCase();
  const [first = ''] = name.split('.');
  return [...new Set([name, `${name}${usualHost}`, first, `${first}${usualHost}`])].filter(
    (each) => each !== username.toLowerCase() && isUsername(each),
  );
}

/** The target that an operator can follow for this name. */
const targetOf = (username: string): string => (username.includes('.') ? `bluesky:${username}` : `x:${username}`);

function Meant({ users }: { users: readonly User[] }): VNode | null {
  if (users.length === 0) return null;
  return (
    <section aria-labelledby="meant">
      <h2 class="section-title" id="meant">
        Did you mean
      </h2>
      <ol class="feed narrow">
        {users.map((user) => (
          <li key={user.id}>
            <UserRow user={user} />
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Missing({ username }: { username: string }): VNode {
  const names = similarNames(username);
  const loaded = useLoaded(`similar ${username}`, async (signal) =>
    names.length === 0 ? [] : (await client.users.getUsers({ usernames: names }, { signal })).users,
  );
  return (
    <>
      {loaded.is === 'ready' && <Meant users={loaded.data} />}
      {loaded.is !== 'loading' && (
        <Nothing title="Nobody here has this name">
          <p>
            This service has only what was imported or followed.{' '}
            <a href={searchHref(`"${username.replaceAll('"', '')}"`)}>Search for the name</a>
          </p>
          {isUsername(username) && (
            <p>
              An operator can follow <code>{targetOf(username)}</code> on <a href={`${root}operate`}>Operate</a>.
            </p>
          )}
        </Nothing>
      )}
    </>
  );
}
