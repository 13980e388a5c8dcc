/** What to do first. A step is done when the page can see that it is. */
import { UnauthorizedError, client, root, useKey, useLoaded, type VNode } from '../kit/index.ts';
import type { Overview } from './overview.ts';

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly text: VNode;
}

const stepsOf = (isKeyValid: boolean, overview: Overview | undefined): readonly Step[] => [
  {
    title: 'Enter an API key',
    isDone: isKeyValid,
    text: (
      <>
        The first start printed one. <code>npm run keys -- create --name me</code> makes another.
      </>
    ),
  },
  {
    title: 'Bring in data',
    isDone: (overview?.followed.length ?? 0) > 0,
    text: (
      <>
        {overview?.objects.tweets === 0 ? 'There is nothing here yet. ' : ''}
        <a href={`${root}import`}>Import an archive</a> (or <code>npm run import -- FILE</code>), or{' '}
        <a href={`${root}operate`}>follow accounts</a> (or <code>npm run follow -- add bluesky:NAME</code>). See{' '}
        <a href={`${root}docs/operations`}>Operations</a>.
      </>
    ),
  },
  {
    title: 'Try a search',
    isDone: false,
    text: (
      <>
        <a href={`${root}explore?q=filter%3Amedia`}>Tweets with media</a>,{' '}
        <a href={`${root}explore?q=min_faves%3A100&order=top`}>the most liked ones</a>, or{' '}
        <a href={`${root}docs/search`}>the query language</a>.
      </>
    ),
  },
  {
    title: 'Connect a program',
    isDone: false,
    text: (
      <>
        <code>npm pack ./client</code> builds the typed client. Other languages use the{' '}
        <a href={`${root}docs/`}>API reference</a> and the <a href={`${root}docs/events`}>event stream</a>.
      </>
    ),
  },
];

export function Checklist({ overview }: { overview: Overview | undefined }) {
  const key = useKey();
  // A key without the scope of this request is valid, too.
  const checked = useLoaded(key, async (signal) => {
    if (key === '') return false;
    const request = client.tweet.advancedSearch({ query: 'lang:en', limit: 1 }, { signal });
    return request.then(
      () => true,
      (error: unknown) => !(error instanceof UnauthorizedError),
    );
  });
  return (
    <section class="panel" aria-labelledby="steps-title">
      <h2 id="steps-title">First steps</h2>
      <ol class="steps">
        {stepsOf(checked.is === 'ready' && checked.data, overview).map(({ title, isDone, text }, index) => (
          <li key={title} class={isDone ? 'done' : ''}>
            <span class="mark" aria-hidden="true">
              {isDone ? '✓' : index + 1}
            </span>
            <div>
              <b>
                {title}
                {isDone && <span class="sr"> (done)</span>}
              </b>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
