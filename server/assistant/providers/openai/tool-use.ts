/** Asks a model that can read the archive before it answers. */
import { ProviderError } from '../../../ports/assistant-provider.ts';
import type { Conversation } from './conversation.ts';
import type { Endpoint, ModelAnswer } from './endpoint.ts';
import { FeatureRefusal } from './faults.ts';
import type { Message, ModelRequest } from './form.ts';
import { toolDefinitions, type ArchiveTools } from './tools.ts';

/** A shorter text before a call is a remark of the model about its work, and not a part of the answer. */
const maxRemark = 300;

interface Talk extends Conversation {
  readonly endpoint: Pick<Endpoint, 'send' | 'resume'>;
  readonly model: string;
}

/**
 * The answer of a model to one question, after any calls of tools. `onText` gets the parts of the answer. Throws like
 * `Endpoint.send`.
 */
export async function askWithTools(
  talk: Talk,
  tools: ArchiveTools,
  onText?: (piece: string) => void,
): Promise<ModelAnswer> {
  const messages: Message[] = [...talk.messages];
  const parts = new AnswerParts(onText);
  for (let isFirst = true; ; isFirst = false) {
    const choice = tools.remaining > 0 ? 'auto' : 'none';
    const request: ModelRequest = { ...talk, messages, tools: { list: toolDefinitions, choice } };
    const listen = onText && ((piece: string): void => parts.add(piece, choice === 'auto'));
    const answer = await talk.endpoint[isFirst ? 'send' : 'resume'](request, listen).catch((error: unknown) => {
      parts.flush();
      throw error;
    });
    if (answer.calls.length === 0 && parts.isEmpty && isCallInText(answer))
      throw new FeatureRefusal('tools', new ProviderError('failed', 'the model calls tools in its text', 0));
    if (onText === undefined) parts.add(answer.text, choice === 'auto');
    if (answer.calls.length === 0) return { ...answer, text: parts.end() };
    parts.pause();
    const { text: content, calls } = answer;
    messages.push({ role: 'calls', content, calls }, await tools.run(calls));
  }
}

const toolNames = toolDefinitions.map(({ name }) => name).join('|');
/** A call in the form of JSON or of code. */
const callText = new RegExp(
  String.raw`^\s*(?:\x60{3}\w*\s*|functools\s*)?(?:[[{][^]{0,60}["'](?:${toolNames})["']|\[?(?:${toolNames})\s*\()`,
);

/** Whether an answer is a call that the server has left in the text, with at most a remark. */
const isCallInText = ({ text, hasCallsInText }: ModelAnswer): boolean =>
  (hasCallsInText && text.length <= maxRemark) || callText.test(text);

/** Joins the parts of an answer, and leaves out short remarks before calls. */
class AnswerParts {
  readonly #onText: ((piece: string) => void) | undefined;
  #text = '';
  #held = '';
  #isPaused = false;

  constructor(onText: ((piece: string) => void) | undefined) {
    this.#onText = onText;
  }

  /** Whether nothing was passed on. */
  get isEmpty(): boolean {
    return this.#text === '';
  }

  /** `mayBeRemark`: a call can follow, so a short text waits. */
  add(piece: string, mayBeRemark: boolean): void {
    this.#held += piece;
    if (!mayBeRemark || this.#held.length > maxRemark || (this.#text !== '' && !this.#isPaused)) this.flush();
  }

  /** A call follows. */
  pause(): void {
    this.#held = '';
    this.#isPaused = true;
  }

  /** The whole text. Throws ProviderError if there is none. */
  end(): string {
    this.flush();
    if (this.#text === '') throw new ProviderError('failed', 'the answer has no text', 0);
    return this.#text;
  }

  /** Passes on what waits. */
  flush(): void {
    if (this.#held === '') return;
    const piece = this.#isPaused && this.#text !== '' ? `\n\n${this.#held}` : this.#held;
    this.#isPaused = false;
    this.#held = '';
    this.#text += piece;
    this.#onText?.(piece);
  }
}
