/** The provider for endpoints with an API like that of OpenAI or Anthropic. Validates every answer. */
import { isTimeout } from '../deadline.ts';
import {
  defaultModel,
  ProviderError,
  type Account,
  type AskOptions,
  type Provider,
  type Question,
  type Reply,
  type TokenUsage,
} from '../../ports/assistant-provider.ts';
import { distinct, sourcesOf } from '../sources.ts';
import { grounded, tokenOf } from '../token-mentions.ts';
import { conversationOf, answerFormatPrompts, type Conversation } from './openai/conversation.ts';
import { endpointOf, type ModelAnswer, type Endpoint } from './openai/endpoint.ts';
import { isSchemaRejection } from './openai/faults.ts';
import {
  extraction,
  extractionWithTickers,
  parseAnswer,
  readiness,
  recoverSummary,
  validTickers,
  suggestion,
  type ExpectedAnswer,
} from './openai/structured.ts';
import { visiblePart } from './openai/visible-text.ts';

/** One exchange with an endpoint: its conversation, model and connection. */
interface Exchange extends Conversation {
  readonly endpoint: Endpoint;
  readonly model: string;
  /**
   * Identifies endpoint, API and model. After a rejection of structured output, requests for this key have no schema.
   */
  readonly endpointKey: string;
}

export const openaiProvider = (): Provider => new OpenaiProvider();

class OpenaiProvider implements Provider {
  readonly name = 'openai';
  #usage: TokenUsage = { input: 0, output: 0 };
  /** The endpoint keys that rejected structured output since the start. */
  readonly #withoutSchema = new Set<string>();

  get usage(): TokenUsage {
    return this.#usage;
  }

  readonly #count = ({ input, output }: TokenUsage): void => {
    this.#usage = { input: this.#usage.input + input, output: this.#usage.output + output };
  };

  async probe(account: Account, signal: AbortSignal): Promise<void> {
    const talk = exchangeFor(account, defaultModel, endpointOf(account, 1, signal, this.#count), {
      instructions: 'Answer with JSON.',
      messages: [{ role: 'user', content: 'Answer with {"ok": true}.' }],
    });
    try {
      await talk.endpoint.send({ ...talk, schema: readiness });
    } catch (error) {
      // The endpoint processed the question and rejected only the schema.
      if (!isSchemaRejection(error)) throw talk.endpoint.failure(error);
      this.#withoutSchema.add(talk.endpointKey);
    }
  }

  async ask(account: Account, question: Question, { signal, questions, onText }: AskOptions): Promise<Reply> {
    const talk = exchangeFor(
      account,
      question.model,
      endpointOf(account, questions, signal, this.#count),
      conversationOf(question),
    );
    try {
      const { text, citations, model, tickers } = await this.#askExplanation(talk, question, onText);
      const followUp = answerFormatPrompts.extraction(question.suggest);
      const token = question.extract ? await this.#askExtraction(withFollowUp(talk, text, followUp), question) : {};
      // After the deadline the explanation is still useful; after a disconnect it is not.
      if (signal.aborted && !isTimeout(signal)) throw signal.reason;
      return {
        summary: text,
        citations: distinct([...citations, ...sourcesOf(question.subject)]),
        model,
        ...(tickers === undefined ? {} : { tickers }),
        ...token,
      };
    } catch (error) {
      throw talk.endpoint.failure(error);
    }
  }

  /** The first turn: the explanation, with tickers if they are requested and no second turn provides them. */
  async #askExplanation(
    talk: Exchange,
    question: Question,
    onText: AskOptions['onText'],
  ): Promise<ModelAnswer & Pick<Reply, 'tickers'>> {
    if (question.suggest === null || question.extract) return talk.endpoint.send(talk, onText);
    const { value, answer } = await this.#askJson(
      withAppendedText(talk, answerFormatPrompts.suggestion(question.suggest)),
      suggestion,
    );
    const text = visiblePart(value?.summary ?? recoverSummary(answer.text) ?? '');
    if (text === '') throw new ProviderError('failed', 'the answer is not the requested JSON', 0);
    onText?.(text);
    return { ...answer, text, tickers: validTickers(value?.tickers ?? [], question.subject) };
  }

  /**
   * The second turn: the token. If it fails, the token comes from the post itself, because the explanation is already
   * there.
   */
  async #askExtraction(talk: Exchange, { subject, suggest }: Question): Promise<Pick<Reply, 'extracted' | 'tickers'>> {
    const value = await this.#askJson(talk, suggest === null ? extraction : extractionWithTickers).then(
      (each) => each.value,
      () => undefined,
    );
    return {
      extracted: value === undefined ? tokenOf(subject) : grounded(value, subject),
      ...(suggest === null ? {} : { tickers: validTickers(value?.tickers ?? [], subject) }),
    };
  }

  /**
   * Asks for JSON, with structured output if the endpoint supports it, and repairs an invalid answer once. The value is
   * undefined if the answer is still invalid.
   */
  async #askJson<T>(talk: Exchange, schema: ExpectedAnswer<T>): Promise<{ value: T | undefined; answer: ModelAnswer }> {
    const answer = await this.#send(talk, schema);
    const value = parseAnswer(schema, answer.text);
    if (value !== undefined || talk.endpoint.remaining() === 0) return { value, answer };
    const repaired = await this.#send(withFollowUp(talk, answer.text, answerFormatPrompts.repair), schema);
    return { value: parseAnswer(schema, repaired.text), answer: repaired };
  }

  async #send<T>(talk: Exchange, schema: ExpectedAnswer<T>): Promise<ModelAnswer> {
    if (this.#withoutSchema.has(talk.endpointKey)) return talk.endpoint.send(talk);
    try {
      return await talk.endpoint.send({ ...talk, schema });
    } catch (error) {
      if (!isSchemaRejection(error)) throw error;
      this.#withoutSchema.add(talk.endpointKey);
      if (talk.endpoint.remaining() === 0)
        throw new ProviderError(
          'failed',
          'the endpoint rejects structured output; later questions do not request it',
          0,
        );
      return talk.endpoint.send(talk);
    }
  }
}

function exchangeFor(
  account: Account,
  requestedModel: string,
  endpoint: Endpoint,
  conversation: Conversation,
): Exchange {
  const model = account.model ?? requestedModel;
  return {
    ...conversation,
    model,
    endpointKey: JSON.stringify([account.baseUrl, account.api, model]),
    endpoint,
  };
}

/** Appends text to the last message. */
function withAppendedText(talk: Exchange, words: string): Exchange {
  const { messages } = talk;
  const lastIndex = messages.length - 1;
  return {
    ...talk,
    messages: messages.map((each, n) => (n === lastIndex ? { ...each, content: `${each.content}\n\n${words}` } : each)),
  };
}

/** Appends an answer and a follow-up message. */
const withFollowUp = (talk: Exchange, answer: string, words: string): Exchange => ({
  ...talk,
  messages: [...talk.messages, { role: 'assistant', content: answer }, { role: 'user', content: words }],
});
