/** The conversation of the page: its turns, and what a question does to them. */
import { useRef, useState, type AssistantAnswer, type Schemas } from '../kit/index.ts';
import { ask, Lost, Refused } from './socket.ts';
import { forgetConversation, keepConversation, storedConversations, type AnsweredTurn } from './stored.ts';

export interface Turn {
  readonly question: string;
  /** The answer so far. */
  readonly text: string;
  readonly answer?: AssistantAnswer;
  readonly fault?: Fault;
}

export interface Fault {
  readonly title: string;
  readonly text: string;
  /** `again`: the same question may be answered later; `anew`: only a new conversation helps; `key`: another key. */
  readonly remedy: 'retry' | 'anew' | 'key' | 'none';
}

const soon = (seconds: number | undefined): string => (seconds === undefined ? 'in a while' : `in ${seconds} seconds`);

/** Why there is no answer, in plain words. */
export function explainRefusal(error: unknown): Fault {
  if (error instanceof Refused && error.code === 'conversation_expired')
    return {
      title: 'This conversation has expired',
      text: 'A conversation ends an hour after its last question. Start a new one about the same tweet.',
      remedy: 'anew',
    };
  if (error instanceof Refused && error.code === 'no_account')
    return {
      title: 'No questions left at the moment',
      text: `All accounts of the assistant are used up or pause. Ask again ${soon(error.waitSeconds)}.`,
      remedy: 'retry',
    };
  if (error instanceof Refused && error.code === 'too_many_requests')
    return { title: 'Too many questions at once', text: `Ask again ${soon(error.waitSeconds)}.`, remedy: 'retry' };
  if (error instanceof Refused && error.code === 'not_found')
    return {
      title: 'The tweet is not here',
      text: 'The assistant reads only tweets that this service has.',
      remedy: 'none',
    };
  if (error instanceof Refused && error.code === 'bad_message')
    return { title: 'This key may not ask', text: 'It lacks the scope assistant. Use another key.', remedy: 'key' };
  if (error instanceof Refused)
    return { title: 'The question failed', text: `${error.message}. It cost nothing.`, remedy: 'retry' };
  if (error instanceof Lost && error.closeCode >= 4000 && error.closeCode < 4100)
    return { title: 'The service refused the connection', text: `${error.message}. Enter another key.`, remedy: 'key' };
  return {
    title: 'The service does not answer',
    text: 'The connection was lost. The question was not repeated at your cost.',
    remedy: 'retry',
  };
}

type Extras = Pick<Schemas['WsAskParams'], 'suggest' | 'extract'>;

/** The conversation that the address names. */
const addressed = (): string | undefined => new URLSearchParams(location.search).get('conversation') ?? undefined;

/** Names the conversation in the address, so that a reload and a bookmark show it again. */
function address(tweetId: string, conversation: string): void {
  history.replaceState(null, '', `?${new URLSearchParams({ tweet: tweetId, conversation })}`);
}

function storedTurns(tweetId: string): readonly Turn[] {
  const stored = storedConversations().find((each) => each.id === addressed() && each.tweetId === tweetId);
  return (stored?.turns ?? []).map(({ question, answer }) => ({ question, answer, text: answer.summary }));
}

const isAnswered = (turn: Turn): turn is Turn & AnsweredTurn => turn.answer !== undefined;

/** The conversation about a tweet. `onAnswer` is called after each answer, when the quota has changed. */
export function useConversation(tweetId: string, onAnswer: () => void) {
  const [turns, setTurns] = useState<readonly Turn[]>(() => storedTurns(tweetId));
  const [isAsking, setAsking] = useState(false);
  const aborting = useRef<AbortController | undefined>(undefined);
  // One that the address names can also go on in another browser, which has none of its answers.
  const conversationId = turns.findLast(isAnswered)?.answer.conversation_id ?? addressed();

  const change = (next: Partial<Turn>): void =>
    setTurns((before) => before.map((turn, index) => (index === before.length - 1 ? { ...turn, ...next } : turn)));

  const send = async (prompt: string, extras: Extras, isNew = false): Promise<void> => {
    const { signal } = (aborting.current = new AbortController());
    setTurns((before) => [...(isNew ? [] : before), { question: prompt, text: '' }]);
    setAsking(true);
    const started = conversationId === undefined || isNew ? { tweet_id: tweetId } : { conversation_id: conversationId };
    // A follow-up must have a prompt; without one, the assistant explains the tweet.
    const params = { ...started, ...extras, ...(prompt === '' ? {} : { prompt }) };
    try {
      const answer = await ask({ params, signal, onPart: (text) => change({ text }) });
      change({ answer, text: answer.summary });
      const before = isNew
        ? []
        : turns.filter(isAnswered).map((turn) => ({ question: turn.question, answer: turn.answer }));
      const { conversation_id: id } = answer;
      keepConversation(
        { id, tweetId, at: Date.now(), turns: [...before, { question: prompt, answer }] },
        conversationId,
      );
      address(tweetId, id);
      onAnswer();
    } catch (error) {
      if (signal.aborted)
        change({ fault: { title: 'Cancelled', text: 'The question was cancelled.', remedy: 'retry' } });
      else change({ fault: explainRefusal(error) });
      if (error instanceof Refused && error.code === 'conversation_expired' && conversationId !== undefined)
        forgetConversation(conversationId);
    } finally {
      setAsking(false);
    }
  };
  return {
    turns,
    isAsking,
    hasConversation: conversationId !== undefined,
    send,
    cancel: () => aborting.current?.abort(),
  };
}
