/** What to do first. A step is done when the page can see that it is. */
import { root, useKey, type VNode } from '../kit/index.ts';
import type { Overview } from './overview.ts';

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly text: VNode;
}

const stepsOf = (key: string, overview: Overview | undefined): readonly Step[] => [
  {
    title: 'Enter an API key',
    isDone: key !== '',
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
        The bundled sample is there from the start. <code>npm run import -- FILE</code> imports an archive;{' '}
        <code>npm run follow -- add bluesky:NAME</code> follows an account. See{' '}
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
        <a href={`${root}explore?q=%23demo`}>#demo</a>, or <a href={`${root}docs/search`}>the query language</a>.
      </>
    ),
  },
  {
    title: 'Connect a program',
    isDone: false,
    text: (
      <>
        <code>npm install @social-data/client</code>, or any language with the{' '}
        <a href={`${root}docs/`}>API reference</a> and the <a href={`${root}docs/events`}>event stream</a>.
      </>
    ),
  },
];

export function Checklist({ overview }: { overview: Overview | undefined }) {
  const key = useKey();
  return (
    <section class="panel" aria-labelledby="steps-title">
      <h2 id="steps-title">First steps</h2>
      <ol class="steps">
        {stepsOf(key, overview).map(({ title, isDone, text }, index) => (
          <li key={title} class={isDone ? 'done' : ''}>
            <span class="mark" aria-hidden="true">
              {isDone ? '✓' : ''}
            </span>
            <div>
              <b>
                {index + 1}. {title}
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
