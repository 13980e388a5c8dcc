/** The assistant behind any endpoint that speaks the forms of the OpenAI API. What it answers is checked, never trusted. */
import { isTimeout } from '../deadline.ts';
import {
  defaultModel,
  ProviderError,
  type Account,
  type AskOptions,
  type Provider,
  type Question,
  type Reply,
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

/** One question on its way: where it is put, and what is said. */
interface Exchange extends Conversation {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** Where structured output was refused before, the endpoint is asked in words alone. */
  readonly endpointKey: string;
}

export function openaiProvider(): Provider {
  /** The endpoints that refused structured output since the start. */
  const withoutSchema = new Set<string>();

  /** One answer in JSON, by structured output where the endpoint knows it; the value is undefined where it is not what was wanted. */
  async function askJson<T>(
    talk: Exchange,
    schema: ExpectedAnswer<T>,
  ): Promise<{ value: T | undefined; answer: ModelAnswer }> {
    const answer = await sendWanted(talk, schema);
    const value = parseAnswer(schema, answer.text);
    if (value !== undefined || talk.endpoint.remaining() === 0) return { value, answer };
    const repaired = await sendWanted(withFollowUp(talk, answer.text, answerFormatPrompts.repair), schema);
    return { value: parseAnswer(schema, repaired.text), answer: repaired };
  }

  async function sendWanted<T>(talk: Exchange, schema: ExpectedAnswer<T>): Promise<ModelAnswer> {
    if (withoutSchema.has(talk.endpointKey)) return talk.endpoint.send(talk);
    try {
      return await talk.endpoint.send({ ...talk, schema });
    } catch (error) {
      if (!isSchemaRejection(error)) throw error;
      withoutSchema.add(talk.endpointKey);
      if (talk.endpoint.remaining() === 0)
        throw new ProviderError('failed', 'structured output is refused; it is not asked for again', 0);
      return talk.endpoint.send(talk);
    }
  }

  /** The first turn: the answer in words, with tickers where they are wanted and no second turn will give them. */
  async function askExplanation(
    talk: Exchange,
    question: Question,
    onText: AskOptions['onText'],
  ): Promise<ModelAnswer & Pick<Reply, 'tickers'>> {
    if (question.suggest === null || question.extract) return talk.endpoint.send(talk, onText);
    const { value, answer } = await askJson(
      withAppendedText(talk, answerFormatPrompts.suggestion(question.suggest)),
      suggestion,
    );
    const text = visiblePart(value?.summary ?? recoverSummary(answer.text) ?? '');
    if (text === '') throw new ProviderError('failed', 'the answer is not the JSON that was asked for', 0);
    onText?.(text);
    return { ...answer, text, tickers: validTickers(value?.tickers ?? [], question.subject) };
  }

  /** The second turn: the token. Where it fails, what the post itself says of one is taken: the answer in words is there already. */
  async function askExtraction(
    talk: Exchange,
    { subject, suggest }: Question,
  ): Promise<Pick<Reply, 'extracted' | 'tickers'>> {
    const value = await askJson(talk, suggest === null ? extraction : extractionWithTickers).then(
      (each) => each.value,
      () => undefined,
    );
    return {
      extracted: value === undefined ? tokenOf(subject) : grounded(value, subject),
      ...(suggest === null ? {} : { tickers: validTickers(value?.tickers ?? [], subject) }),
    };
  }

  return {
    name: 'openai',
    async probe(account, signal) {
      const talk = exchangeFor(account, defaultModel, 1, signal, {
        instructions: 'Answer with JSON.',
        messages: [{ role: 'user', content: 'Answer with {"ok": true}.' }],
      });
      try {
        await talk.endpoint.send({ ...talk, schema: readiness });
      } catch (error) {
        // It read the question, and refused only its form.
        if (!isSchemaRejection(error)) throw talk.endpoint.failure(error);
        withoutSchema.add(talk.endpointKey);
      }
    },
    async ask(account, question, { signal, questions, onText }) {
      const talk = exchangeFor(account, question.model, questions, signal, conversationOf(question));
      try {
        const { text, citations, model, tickers } = await askExplanation(talk, question, onText);
        const token = question.extract
          ? await askExtraction(withFollowUp(talk, text, answerFormatPrompts.extraction(question.suggest)), question)
          : {};
        // Past the deadline the words are still an answer; a caller who hung up wants none.
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
    },
  };
}

function exchangeFor(
  account: Account,
  requestedModel: string,
  questions: number,
  signal: AbortSignal,
  conversation: Conversation,
): Exchange {
  const model = account.model ?? requestedModel;
  return {
    ...conversation,
    model,
    endpointKey: JSON.stringify([account.baseUrl, account.api, model]),
    endpoint: endpointOf(account, questions, signal),
  };
}

/** With words added to the last message. */
function withAppendedText(talk: Exchange, words: string): Exchange {
  const last = talk.messages.at(-1)!;
  return { ...talk, messages: [...talk.messages.slice(0, -1), { ...last, content: `${last.content}\n\n${words}` }] };
}

/** With an answer, and what is said to it. */
const withFollowUp = (talk: Exchange, answer: string, words: string): Exchange => ({
  ...talk,
  messages: [...talk.messages, { role: 'assistant', content: answer }, { role: 'user', content: words }],
});
