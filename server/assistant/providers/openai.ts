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
import { endpointOf, type Endpoint, type Listeners, type ModelAnswer } from './openai/endpoint.ts';
import { EndpointMemories, type EndpointMemory } from './openai/endpoint-memory.ts';
import { FeatureRefusal } from './openai/faults.ts';
import { KnownSources } from './openai/known-sources.ts';
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
import { askWithTools } from './openai/tool-use.ts';
import { ArchiveTools } from './openai/tools.ts';
import { VerifiedText } from './openai/verified-text.ts';
import { visiblePart } from './openai/visible-text.ts';

/** One exchange with an endpoint: its conversation, model and connection. */
interface Exchange extends Conversation {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** What the endpoint has shown with this model. */
  readonly memory: EndpointMemory;
}

/**
 * `toolCalls`: maximum number of calls of tools for one question; with 0 a model gets no tools. `costs`: gets the tokens of
 * each request; streams then ask for them.
 */
export const openaiProvider = (toolCalls = 8, costs?: CostCounter): Provider => new OpenaiProvider(toolCalls, costs);

/** Counts the tokens of each request, by the model that the request names. */
type CostCounter = (model: string, usage: TokenUsage) => void;

class OpenaiProvider implements Provider {
  #usage: TokenUsage = { input: 0, output: 0, cached: 0 };
  readonly #memories = new EndpointMemories();
  readonly #toolCalls: number;
  readonly #costs: CostCounter | undefined;

  constructor(toolCalls: number, costs: CostCounter | undefined) {
    this.#toolCalls = toolCalls;
    this.#costs = costs;
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  readonly #count = (usage: TokenUsage, model: string): void => {
    const { input, output, cached } = this.#usage;
    this.#usage = { input: input + usage.input, output: output + usage.output, cached: cached + usage.cached };
    this.#costs?.(model, usage);
  };

  #endpoint(account: Account, questions: number, signal: AbortSignal, onSource?: Listeners['onSource']): Endpoint {
    const listeners = { onUsage: this.#count, asksUsage: this.#costs !== undefined };
    return endpointOf(account, questions, signal, this.#memories, onSource ? { ...listeners, onSource } : listeners);
  }

  #exchange(account: Account, requestedModel: string, endpoint: Endpoint, conversation: Conversation): Exchange {
    const model = account.model ?? requestedModel;
    return { ...conversation, model, memory: this.#memories.of(account, model), endpoint };
  }

  async probe(account: Account, signal: AbortSignal): Promise<void> {
    const talk = this.#exchange(account, defaultModel, this.#endpoint(account, 1, signal), {
      instructions: 'Answer with JSON.',
      messages: [{ role: 'user', content: 'Answer with {"ok": true}.' }],
      mark: '',
    });
    try {
      await talk.endpoint.send({ ...talk, schema: readiness });
    } catch (error) {
      throw talk.endpoint.failure(error);
    }
  }

  async ask(account: Account, question: Question, { signal, questions, onText }: AskOptions): Promise<Reply> {
    const sources = new KnownSources(question.subject);
    const endpoint = this.#endpoint(account, questions, signal, (page) => sources.addPage(page));
    const talk = this.#exchange(account, question.model, endpoint, conversationOf(question, this.#toolCalls > 0));
    try {
      const { text, citations, model, tickers } = await this.#askExplanation(talk, question, sources, onText);
      const followUp = answerFormatPrompts.extraction(question.suggest);
      const token = question.extract ? await this.#askExtraction(withFollowUp(talk, text, followUp), question) : {};
      // After the deadline the explanation is still useful; after a disconnect it is not.
      if (signal.aborted && !isTimeout(signal)) throw signal.reason;
      return {
        summary: text,
        citations: distinct([...citations, ...sources.citedPages, ...sourcesOf(question.subject)]),
        model,
        ...(sources.citedPosts.length === 0 ? {} : { citedTweets: sources.citedPosts }),
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
    sources: KnownSources,
    onText: AskOptions['onText'],
  ): Promise<ModelAnswer & Pick<Reply, 'tickers'>> {
    if (question.suggest === null || question.extract) return this.#askInWords(talk, question, sources, onText);
    const { value, answer } = await this.#askJson(
      withAppendedText(talk, answerFormatPrompts.suggestion(question.suggest)),
      suggestion,
    );
    const visible = visiblePart(value?.summary ?? recoverSummary(answer.text) ?? '');
    if (visible === '') throw new ProviderError('failed', 'the answer is not the requested JSON', 0);
    const filter = new VerifiedText(sources);
    const text = filter.push(visible) + filter.end();
    onText?.(text);
    return { ...answer, text, tickers: validTickers(value?.tickers ?? [], question.subject) };
  }

  /** The explanation in words, with tools if the endpoint supports them. Its text is verified while it arrives. */
  async #askInWords(
    talk: Exchange,
    question: Question,
    sources: KnownSources,
    onText: AskOptions['onText'],
  ): Promise<ModelAnswer> {
    const filter = new VerifiedText(sources);
    let text = '';
    const emit = (piece: string): void => {
      text += piece;
      if (piece !== '') onText?.(piece);
    };
    const listen = onText && ((piece: string): void => emit(filter.push(piece)));
    const answer = await this.#askWithTools(talk, question, sources, listen).catch((error: unknown) => {
      emit(filter.end());
      throw error;
    });
    if (onText === undefined) emit(filter.push(answer.text));
    emit(filter.end());
    return { ...answer, text };
  }

  async #askWithTools(
    talk: Exchange,
    question: Question,
    sources: KnownSources,
    listen: AskOptions['onText'],
  ): Promise<ModelAnswer> {
    if (this.#toolCalls === 0) return talk.endpoint.send(talk, listen);
    const withoutTools = { ...talk, ...conversationOf(question, false) };
    if (talk.memory.refused.has('tools')) return talk.endpoint.send(withoutTools, listen);
    const tools = new ArchiveTools({ archive: question.archive, sources, mark: talk.mark, calls: this.#toolCalls });
    let hasText = false;
    const note = listen && ((piece: string): void => ((hasText = true), listen(piece)));
    try {
      const answer = await askWithTools(talk, tools, note);
      talk.memory.callsInText = 0;
      if (!(await tools.stillExist()))
        throw new ProviderError('failed', 'a post that the model read was removed before the end of its answer', 0);
      return answer;
    } catch (error) {
      if (!(error instanceof FeatureRefusal) || hasText) throw error;
      // A single call in the text can be a mistake of the model.
      if (error.cause instanceof ProviderError && ++talk.memory.callsInText >= 3) talk.memory.refused.add('tools');
      return talk.endpoint.resume(withoutTools, listen);
    }
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
    const answer = await talk.endpoint.send({ ...talk, schema });
    const value = parseAnswer(schema, answer.text);
    if (value !== undefined || talk.endpoint.remaining() === 0) return { value, answer };
    const followUp = withFollowUp(talk, answer.text, answerFormatPrompts.repair);
    const repaired = await talk.endpoint.send({ ...followUp, schema });
    return { value: parseAnswer(schema, repaired.text), answer: repaired };
  }
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
