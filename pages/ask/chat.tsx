/** The turns of a conversation, and the field for the next question. */
import { askForKey, useEffect, useKey, useRef, useState, type VNode } from '../kit/index.ts';
import { AnswerView, Paragraphs } from './answer.tsx';
import { useConversation, type Fault, type Turn } from './conversation.ts';

const starters = ['Who is the author?', 'What do the replies say?', 'Is that a lot of likes?'];

function FaultView({ fault, retry, anew }: { fault: Fault; retry: () => void; anew: () => void }): VNode {
  return (
    <div class="panel fault" role="alert">
      <h3>{fault.title}</h3>
      <p>{fault.text}</p>
      {fault.remedy === 'retry' && (
        <button type="button" onClick={retry}>
          Ask again
        </button>
      )}
      {fault.remedy === 'anew' && (
        <button type="button" onClick={anew}>
          Start a new conversation
        </button>
      )}
      {fault.remedy === 'key' && (
        <button type="button" onClick={() => askForKey()}>
          Enter a key
        </button>
      )}
    </div>
  );
}

interface TurnProps {
  readonly turn: Turn;
  readonly linked: ReadonlySet<string>;
  readonly retry: () => void;
  readonly anew: () => void;
}

function TurnView({ turn, linked, retry, anew }: TurnProps): VNode {
  return (
    <li class="turn">
      <p class="question" dir="auto">
        {turn.question === '' ? 'Explain this tweet' : turn.question}
      </p>
      <div class="reply">
        {turn.answer !== undefined && <AnswerView answer={turn.answer} linked={linked} />}
        {turn.answer === undefined && turn.text !== '' && <Paragraphs text={turn.text} />}
        {turn.answer === undefined && turn.fault === undefined && (
          <p class="hint thinking" role="status">
            {turn.text === '' ? 'Reading the tweet and its replies …' : 'Writing …'}
          </p>
        )}
        {turn.fault !== undefined && <FaultView fault={turn.fault} retry={retry} anew={anew} />}
      </div>
    </li>
  );
}

interface FieldProps {
  readonly isAsking: boolean;
  readonly hasAnswer: boolean;
  readonly ask: (prompt: string, extras: { suggest?: string; extract?: 'token' }) => void;
  readonly cancel: () => void;
}

function Field({ isAsking, hasAnswer, ask, cancel }: FieldProps): VNode {
  const [text, setText] = useState('');
  const [suggests, setSuggests] = useState(false);
  const [extracts, setExtracts] = useState(false);
  const prompt = text.trim();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isAsking || (hasAnswer && prompt === '')) return;
    ask(prompt, { ...(suggests ? { suggest: 'ticker' } : {}), ...(extracts ? { extract: 'token' as const } : {}) });
    setText('');
  };
  return (
    <form class="ask-field" onSubmit={submit}>
      <textarea
        aria-label="Your question"
        rows={2}
        maxLength={4000}
        placeholder={hasAnswer ? 'Ask on …' : 'Ask something, or leave it empty for an explanation'}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event);
        }}
      />
      <div class="row spread">
        <span class="row">
          <label class="check">
            <input type="checkbox" checked={suggests} onChange={() => setSuggests(!suggests)} /> Suggest tickers
          </label>
          <label class="check">
            <input type="checkbox" checked={extracts} onChange={() => setExtracts(!extracts)} /> Find the token (2
            questions)
          </label>
        </span>
        {isAsking ? (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        ) : (
          <button type="submit" class="primary" disabled={hasAnswer && prompt === ''}>
            {hasAnswer || prompt !== '' ? 'Ask' : 'Explain'}
          </button>
        )}
      </div>
    </form>
  );
}

const KeyWanted = (): VNode => (
  <section class="panel" aria-label="Conversation">
    <h2>Enter an API key</h2>
    <p>Questions are asked with a key that has the scopes assistant and events.</p>
    <button type="button" class="primary" onClick={() => askForKey()}>
      Enter a key
    </button>
  </section>
);

interface ChatProps {
  readonly tweetId: string;
  /** The addresses of the pages that the tweet links to. */
  readonly linked: ReadonlySet<string>;
  readonly onAnswer: () => void;
}

export function Chat({ tweetId, linked, onAnswer }: ChatProps): VNode {
  const key = useKey();
  const { turns, isAsking, hasConversation, send, cancel } = useConversation(tweetId, onAnswer);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsking) end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns.length, isAsking]);
  if (key === '') return <KeyWanted />;
  return (
    <section class="chat" aria-label="Conversation">
      <h2 class="sr">Conversation</h2>
      <ol class="turns" aria-live="polite" aria-busy={isAsking}>
        {turns.map((turn, index) => (
          <TurnView
            key={index}
            turn={turn}
            linked={linked}
            retry={() => void send(turn.question, {})}
            anew={() => void send(turn.question, {}, true)}
          />
        ))}
      </ol>
      {turns.length === 0 && (
        <p class="lead">
          {hasConversation
            ? 'This conversation goes on. Its earlier answers are in the browser in which they were asked.'
            : 'What would you like to know about this tweet?'}
        </p>
      )}
      {!isAsking && (
        <p class="chips" role="group" aria-label="Suggested questions">
          {!hasConversation && (
            <button type="button" class="chip" onClick={() => void send('', {})}>
              Explain this tweet
            </button>
          )}
          {starters.map((starter) => (
            <button key={starter} type="button" class="chip" onClick={() => void send(starter, {})}>
              {starter}
            </button>
          ))}
        </p>
      )}
      <Field
        isAsking={isAsking}
        hasAnswer={hasConversation}
        ask={(prompt, extras) => void send(prompt, extras)}
        cancel={cancel}
      />
      <div ref={end} />
    </section>
  );
}
