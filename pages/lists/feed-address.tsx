/** The address of a feed, for a feed reader. It has a token that reads feeds and nothing else, which the reader makes here. */
import { CopyButton, Fault, baseUrl, client, targetOf, useState, type ApiRequest, type VNode } from '../kit/index.ts';

/** The most characters of the name of a token. */
const maxName = 100;

/** What the name of a token may not have. */
const controls = /\p{Cc}/gu;

/** `feed`: the request of the feed; `of`: what is in it, for the list of tokens. */
export function FeedAddress({ feed, of }: { feed: ApiRequest; of: string }): VNode {
  const [token, setToken] = useState<string | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const make = (): void => {
    setBusy(true);
    setError(undefined);
    client.feedToken
      .create({ name: `Feed of ${of}`.replaceAll(controls, ' ').slice(0, maxName) })
      .then((made) => setToken(made.token), setError)
      .finally(() => setBusy(false));
  };
  if (token === undefined)
    return (
      <>
        <p>
          An Atom feed of the newest tweets, for any feed reader. Its address contains a new token, which reads feeds
          and nothing else, so that your key stays here.
        </p>
        <button type="button" class="primary" disabled={isBusy} onClick={make}>
          Make the address
        </button>
        {error !== undefined && <Fault error={error} retry={make} />}
      </>
    );
  const address = baseUrl + targetOf({ ...feed, parameters: { ...feed.parameters, api_key: token } });
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
      </div>
      <p class="hint" id="feed-hint">
        Copy it now: the token cannot be shown again. Whoever has the address can read feeds, until you revoke the token
        with <code>/social/feed_token/revoke</code>. With <code>format=json</code> it is a JSON feed.
      </p>
    </>
  );
}
