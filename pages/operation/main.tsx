/** The pages of operations: "Try it" sends a request with the key of the tab, and shows the answer. */
import {
  askForKey,
  enteredKey,
  keyRejected,
  render,
  root,
  useEffect,
  useKey,
  useRef,
  useState,
  type VNode,
} from '../kit/frame.ts';
import type { TryOperation, TryParameter } from '../../server/http/docs/pages/api/try-box.ts';
import { AnswerView, nextCursor, readAnswer, type Answer } from './answer.tsx';
import { faultOf, initialOf, requestOf, type Typed } from './request.ts';

function Field(props: { parameter: TryParameter; value: string; change: (value: string) => void }): VNode {
  const { parameter, value, change } = props;
  const { name, required, values } = parameter;
  const id = `try-${name}`;
  return (
    <div class="try-field">
      <label for={id}>
        <code>{name}</code>
        {required && <b class="required"> required</b>}
        {parameter.in !== 'query' && <span class="optional"> {parameter.in}</span>}
      </label>
      {values === undefined ? (
        <input
          id={id}
          type="text"
          value={value}
          required={required}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : (
        <select id={id} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
          {!required && <option value="">left out</option>}
          {values.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
    </div>
  );
}

function Body({ type, text, change }: { type: string; text: string; change: (text: string) => void }): VNode {
  return (
    <div class="try-field">
      <label for="try-body">
        Body <span class="optional">{type}</span>
      </label>
      <textarea
        id="try-body"
        rows={Math.min(12, text.split('\n').length + 1)}
        spellcheck={false}
        autocapitalize="off"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </div>
  );
}

function Accept({
  types,
  value,
  choose,
}: {
  types: readonly string[];
  value: string;
  choose: (type: string) => void;
}): VNode {
  return (
    <div class="try-field">
      <label for="try-accept">Answer as</label>
      <select id="try-accept" value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {types.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
    </div>
  );
}

type Sending =
  | { readonly is: 'ready' }
  /** The request changes data, and waits for a second press. */
  | { readonly is: 'asking' }
  | { readonly is: 'sending' };

interface Sender {
  readonly sending: Sending;
  readonly answer: Answer | undefined;
  readonly fault: string;
  send(typed: Typed): void;
  ask(): void;
  stop(): void;
}

function useSender(operation: TryOperation): Sender {
  const [sending, setSending] = useState<Sending>({ is: 'ready' });
  const [answer, setAnswer] = useState<Answer>();
  const [fault, setFault] = useState('');
  const aborting = useRef<AbortController | undefined>(undefined);
  const stop = (): void => {
    aborting.current?.abort();
    setSending({ is: 'ready' });
  };
  useEffect(() => stop, []);
  const send = async (typed: Typed): Promise<void> => {
    aborting.current?.abort();
    const { signal } = (aborting.current = new AbortController());
    setFault('');
    setAnswer(undefined);
    setSending({ is: 'sending' });
    const start = performance.now();
    try {
      const [url, options] = requestOf(operation, typed, enteredKey(), root);
      const response = await fetch(url, { ...options, signal });
      if (response.status === 401) (enteredKey() === '' ? askForKey : keyRejected)();
      await readAnswer(
        response,
        Math.round(performance.now() - start),
        (next) => void (signal.aborted || setAnswer(next)),
      );
    } catch (error) {
      if (!signal.aborted) setFault(`The request could not be sent: ${(error as Error).message}`);
    }
    if (!signal.aborted) setSending({ is: 'ready' });
  };
  return {
    ...{ sending, answer, fault, stop },
    ask: () => setSending({ is: 'asking' }),
    send(typed) {
      const wrong = faultOf(operation, typed);
      if (wrong === undefined) return void send(typed);
      setSending({ is: 'ready' });
      setFault(wrong);
    },
  };
}

function Buttons({ operation, sender, typed }: { operation: TryOperation; sender: Sender; typed: Typed }): VNode {
  const { sending, send, stop } = sender;
  const key = useKey();
  if (sending.is === 'asking')
    return (
      <div class="row" role="group" aria-label="Confirm">
        <span>This request can change data of this service.</span>
        <button type="button" class="primary" onClick={() => send(typed)}>
          Send it
        </button>
        <button type="button" onClick={stop}>
          Cancel
        </button>
      </div>
    );
  return (
    <div class="row">
      <button type="submit" class="primary" disabled={sending.is === 'sending'}>
        {sending.is === 'sending' ? 'Sending …' : 'Send'}
      </button>
      {sending.is === 'sending' && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      {operation.key !== undefined && key === '' && (
        <button type="button" onClick={() => askForKey()}>
          Add key
        </button>
      )}
      <a class="hint" href={`${root}docs/try`}>
        All operations in Swagger UI
      </a>
    </div>
  );
}

function TryIt({ operation }: { operation: TryOperation }): VNode {
  const [typed, setTyped] = useState<Typed>(() => initialOf(operation));
  const sender = useSender(operation);
  const { parameters, body, accepts, method } = operation;
  const isRead = method === 'get' || method === 'head';
  const set = (name: string, value: string): Typed => {
    const next = { ...typed, values: { ...typed.values, [name]: value } };
    setTyped(next);
    return next;
  };
  const cursor = sender.answer === undefined ? undefined : nextCursor(sender.answer);
  const hasCursor = parameters.some(({ name }) => name === 'cursor');
  return (
    <>
      <form
        autocomplete="off"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isRead) sender.send(typed);
          else sender.ask();
        }}
      >
        <div class="try-fields">
          {parameters.map((each) => (
            <Field
              key={each.name}
              parameter={each}
              value={typed.values[each.name] ?? ''}
              change={(value) => void set(each.name, value)}
            />
          ))}
          {accepts.length > 1 && (
            <Accept types={accepts} value={typed.accept} choose={(accept) => setTyped({ ...typed, accept })} />
          )}
        </div>
        {body !== undefined && (
          <Body type={body.type} text={typed.body} change={(text) => setTyped({ ...typed, body: text })} />
        )}
        <Buttons operation={operation} sender={sender} typed={typed} />
      </form>
      {sender.fault !== '' && (
        <p class="wrong" role="alert">
          {sender.fault}
        </p>
      )}
      {sender.answer !== undefined && <AnswerView answer={sender.answer} />}
      {cursor !== undefined && hasCursor && (
        <button type="button" onClick={() => sender.send(set('cursor', cursor))}>
          Next page
        </button>
      )}
    </>
  );
}

/** Draws the form when the reader opens it, or comes by a link to it. */
for (const box of document.querySelectorAll<HTMLDetailsElement>('.try-it')) {
  const draw = (): void => {
    if (!box.open || box.querySelector('.try-form') !== null) return;
    const place = document.createElement('div');
    place.className = 'try-form';
    box.append(place);
    render(<TryIt operation={JSON.parse(box.dataset['operation'] ?? '{}') as TryOperation} />, place);
  };
  const openByLink = (): void => {
    if (location.hash !== `#${box.id}`) return;
    box.open = true;
    draw();
    box.scrollIntoView({ block: 'start' });
  };
  box.addEventListener('toggle', draw);
  addEventListener('hashchange', openByLink);
  draw();
  openByLink();
}
