/** What to listen to: the channel and its parameter. */
import { root, useEffect, useRef, type VNode } from '../kit/index.ts';
import { parseQueryError } from '../query/query-error.ts';
import { QueryErrorPlace } from '../query/query-error-place.tsx';
import { channels, exampleQueries, type ChannelName, type Choice } from './channels.ts';
import type { SubscriptionError } from './stream.ts';

export type ChoiceError = Pick<SubscriptionError, 'error' | 'position'>;

function ErrorText({ error, value, use }: { error: ChoiceError; value: string; use: (value: string) => void }): VNode {
  const { wrong, suggestion } = parseQueryError(error.error);
  return (
    <>
      <p>{error.error}</p>
      <QueryErrorPlace error={{ offset: error.position, wrong, suggestion }} text={value} applyFix={use} />
    </>
  );
}

/** The field of the parameter. A new error moves the focus to it, and selects what is wrong. */
function ValueField(props: {
  label: string;
  value: string;
  error: ChoiceError | undefined;
  change: (value: string) => void;
}): VNode {
  const { label, value, error, change } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error === undefined) return;
    box.current?.focus();
    const { wrong } = parseQueryError(error.error);
    if (error.position !== undefined)
      box.current?.setSelectionRange(error.position, error.position + (wrong?.length ?? 1));
  }, [error]);
  return (
    <div id="value-row">
      <label for="value">{label}</label>
      <input
        ref={box}
        id="value"
        type="text"
        spellcheck={false}
        autocapitalize="off"
        autocorrect="off"
        enterkeyhint="go"
        maxLength={1024}
        aria-describedby="fault"
        aria-invalid={error !== undefined}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </div>
  );
}

export function ListenForm(props: {
  choice: Choice;
  error: ChoiceError | undefined;
  /** The reader types a value. */
  change: (value: string) => void;
  choose: (channel: ChannelName) => void;
  /** The reader starts the subscription, also by an example or a correction, whose value is the argument. */
  listen: (value?: string) => void;
}): VNode {
  const { choice, error, change, choose, listen } = props;
  const { description, field } = channels[choice.channel];
  return (
    <form
      id="listen"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        listen();
      }}
    >
      <label for="channel">Channel</label>
      <select
        id="channel"
        aria-describedby="channel-text"
        value={choice.channel}
        onChange={({ currentTarget }) => choose(currentTarget.value as ChannelName)}
      >
        {Object.keys(channels).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <p class="hint" id="channel-text">
        Events: {description}.
      </p>
      {field !== undefined && <ValueField label={field} value={choice.value} error={error} change={change} />}
      <div id="fault" role="alert">
        {error !== undefined && <ErrorText error={error} value={choice.value} use={listen} />}
      </div>
      {choice.channel === 'search:tweets' && (
        <div id="examples" role="group" aria-label="Examples">
          {exampleQueries.map((query) => (
            <button key={query} type="button" onClick={() => listen(query)}>
              {query}
            </button>
          ))}
          <a href={`${root}docs/search`}>The query language</a>
        </div>
      )}
      <button type="submit" class="primary">
        Listen
      </button>
    </form>
  );
}
