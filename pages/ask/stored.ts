/**
 * The conversations of this browser. The service keeps what a follow-up question needs, but has no operation that returns earlier
 * answers, and each answer cost a question: so the browser keeps them, the newest few, for a day. They go with the key, when the
 * reader forgets them, and when the service says that a conversation has ended, as it does after a tweet of an answer was removed.
 */
import { conversationsName, type AssistantAnswer } from '../kit/index.ts';

export interface AnsweredTurn {
  readonly question: string;
  readonly answer: AssistantAnswer;
}

export interface StoredConversation {
  readonly id: string;
  readonly tweetId: string;
  /** The time of the last answer, in milliseconds. */
  readonly at: number;
  readonly turns: readonly AnsweredTurn[];
}

const maxStored = 8;
const maxAgeMs = 24 * 3_600_000;

/** The stored conversations, the newest first. */
export function storedConversations(): readonly StoredConversation[] {
  try {
    const stored = JSON.parse(localStorage.getItem(conversationsName) ?? '[]') as StoredConversation[];
    return stored.filter(({ at }) => Date.now() - at < maxAgeMs);
  } catch {
    // Storage may be disabled, or hold what another version wrote.
    return [];
  }
}

function store(conversations: readonly StoredConversation[]): void {
  try {
    if (conversations.length === 0) localStorage.removeItem(conversationsName);
    else localStorage.setItem(conversationsName, JSON.stringify(conversations));
  } catch {
    // Without storage, or without room in it, a conversation ends with the page.
  }
}

export const forgetConversation = (id: string): void => store(storedConversations().filter((each) => each.id !== id));
export const forgetConversations = (): void => store([]);

/** Keeps a conversation after an answer. `previousId`: the id that it had before, if the service has given it another one. */
export const keepConversation = (conversation: StoredConversation, previousId: string | undefined): void =>
  store(
    [conversation, ...storedConversations().filter(({ id }) => id !== conversation.id && id !== previousId)].slice(
      0,
      maxStored,
    ),
  );
