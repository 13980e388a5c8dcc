/** The address of a feed, for a feed reader. It has a token that reads feeds and nothing else, which the reader makes here. */
import {
  CopyButton,
  Fault,
  baseUrl,
  client,
  targetOf,
  useState,
  type ApiRequest,
  type Schemas,
  type VNode,
} from '../kit/index.ts';

/** The most characters of the name of a token. */
const maxName = 100;

/** What the name of a token may not have. */
const controls = /\p{Cc}/gu;

/** The address, which is shown once. */
function Address({ address, revoke }: { address: string; revoke: () => void }): VNode {
  return (
    <>
      <label for="feed-address">Address of the feed</label>
      <div class="row">
        <input
          id="feed-address"
          class="grow"
          type="text"
          readOnly
          value={address}
          aria-describedby="feed-hint"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={() => address} name="Copy the address" />
        <a class="button" href={address} rel="alternate" type="application/atom+xml">
          Open
        </a>
        <button type="button" class="small danger" onClick={revoke}>
          Revoke
        </button>
      </div>
      <p class="hint" id="feed-hint">
        Copy it now: the token cannot be shown again. Whoever has the address can read feeds, until you revoke it here
        or with <code>/social/feed_token/revoke</code>. With <code>format=json</code> it is a JSON feed.
      </p>
    </>
  );
}

/** `feed`: the request of the feed; `of`: what is in it, for the list of tokens. */
export function FeedAddress({ feed, of }: { feed: ApiRequest; of: string }): VNode {
  const [made, setMade] = useState<Schemas['NewFeedToken'] | undefined>(undefined);
  const [isRevoked, setRevoked] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const run = (action: () => Promise<void>): void => {
    setBusy(true);
    setError(undefined);
    action()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const make = (): void =>
    run(async () =>
      setMade(await client.feedToken.create({ name: `Feed of ${of}`.replaceAll(controls, ' ').slice(0, maxName) })),
    );
  const revoke = (id: string): void =>
    run(async () => {
      await client.feedToken.revoke({ id });
      setMade(undefined);
      setRevoked(true);
    });
  return (
    <>
      {made === undefined ? (
        <>
          <p>
            An Atom feed of the newest tweets, for any feed reader. Its address contains a new token, which reads feeds
            and nothing else, so that your key stays here.
          </p>
          <p role="status">{isRevoked ? 'The last address is revoked: it no longer works.' : ''}</p>
          <button type="button" class="primary" disabled={isBusy} onClick={make}>
            Make the address
          </button>
        </>
      ) : (
        <Address
          address={baseUrl + targetOf({ ...feed, parameters: { ...feed.parameters, api_key: made.token } })}
          revoke={() => revoke(made.id)}
        />
      )}
      {error !== undefined && <Fault error={error} retry={made === undefined ? make : undefined} />}
    </>
  );
}
