/** The only write operation of the service on the page of a tweet: it removes the like of the service's own account. */
import { Fault, client, useEffect, useRef, useState, type VNode } from '../kit/index.ts';

/** `onDone`: the like is gone. */
export function Unlike({ tweetId, onDone }: { tweetId: string; onDone: () => void }): VNode {
  const [state, setState] = useState<'liked' | 'asks' | 'removes' | 'removed' | 'gone'>('liked');
  const [error, setError] = useState<unknown>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state === 'asks') place.current?.querySelector('button')?.focus();
    if (state === 'removed' || state === 'gone') place.current?.focus();
  }, [state]);
  const remove = (): void => {
    setState('removes');
    setError(undefined);
    client.tweet.unlike({ tweet_id: tweetId }).then(
      ({ success }) => {
        setState(success ? 'removed' : 'gone');
        onDone();
      },
      (fault: unknown) => {
        setState('asks');
        setError(fault);
      },
    );
  };
  if (state === 'removed' || state === 'gone')
    return (
      <div class="panel" role="status" tabIndex={-1} ref={place}>
        {state === 'removed' ? 'The like is removed.' : 'The like was removed before.'}
      </div>
    );
  if (state === 'liked')
    return (
      <div class="row liked">
        <span class="hint">The account of this service likes it.</span>
        <button type="button" class="small" onClick={() => setState('asks')}>
          Unlike
        </button>
      </div>
    );
  return (
    <div class="panel" role="group" aria-labelledby="unlike-title" ref={place}>
      <h2 id="unlike-title">Remove the like?</h2>
      <p>
        The tweet loses the like of the account of this service in this archive, for all who read it. It cannot be set
        again here. On the platform nothing changes.
      </p>
      <div class="row">
        <button type="button" onClick={() => setState('liked')}>
          Keep it
        </button>
        <button type="button" class="danger" disabled={state === 'removes'} onClick={remove}>
          Remove the like
        </button>
      </div>
      {error !== undefined && <Fault error={error} retry={remove} />}
    </div>
  );
}
