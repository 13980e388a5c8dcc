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
import { conversationOf, wanted, type Conversation } from './openai/conversation.ts';
import { endpointOf, type ModelAnswer, type Endpoint } from './openai/endpoint.ts';
import { refusesSchema } from './openai/faults.ts';
import {
  extraction,
  extractionWithTickers,
  parsed,
  readiness,
  salvaged,
  soundTickers,
  suggestion,
  type Wanted,
} from './openai/structured.ts';
import { visiblePart } from './openai/visible-text.ts';

/** One question on its way: where it is put, and what is said. */
interface Talk extends Conversation {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** Where structured output was refused before, the endpoint is asked in words alone. */
  readonly place: string;
}

export function openaiProvider(): Provider {
  /** The endpoints that refused structured output since the start. */
  const plain = new Set<string>();

  /** One answer in JSON, by structured output where the endpoint knows it; the value is undefined where it is not what was wanted. */
  async function askJson<T>(talk: Talk, schema: Wanted<T>): Promise<{ value: T | undefined; answer: ModelAnswer }> {
    const answer = await sendWanted(talk, schema);
    const value = parsed(schema, answer.text);
    if (value !== undefined || talk.endpoint.left() === 0) return { value, answer };
    const repaired = await sendWanted(goingOn(talk, answer.text, wanted.repair), schema);
    return { value: parsed(schema, repaired.text), answer: repaired };
  }

  async function sendWanted<T>(talk: Talk, schema: Wanted<T>): Promise<ModelAnswer> {
    if (plain.has(talk.place)) return talk.endpoint.send(talk);
    try {
      return await talk.endpoint.send({ ...talk, schema });
    } catch (error) {
      if (!refusesSchema(error)) throw error;
      plain.add(talk.place);
      if (talk.endpoint.left() === 0)
        throw new ProviderError('failed', 'structured output is refused; it is not asked for again', 0);
      return talk.endpoint.send(talk);
    }
  }

  /** The first turn: the answer in words, with tickers where they are wanted and no second turn will give them. */
  async function explained(
    talk: Talk,
    question: Question,
    onText: AskOptions['onText'],
  ): Promise<ModelAnswer & Pick<Reply, 'tickers'>> {
    if (question.suggest === null || question.extract) return talk.endpoint.send(talk, onText);
    const { value, answer } = await askJson(adding(talk, wanted.suggestion(question.suggest)), suggestion);
    const text = visiblePart(value?.summary ?? salvaged(answer.text) ?? '');
    if (text === '') throw new ProviderError('failed', 'the answer is not the JSON that was asked for', 0);
    onText?.(text);
    return { ...answer, text, tickers: soundTickers(value?.tickers ?? [], question.subject) };
  }

  /** The second turn: the token. Where it fails, what the post itself says of one is taken: the answer in words is there already. */
  async function extracted(talk: Talk, { subject, suggest }: Question): Promise<Pick<Reply, 'extracted' | 'tickers'>> {
    const value = await askJson(talk, suggest === null ? extraction : extractionWithTickers).then(
      (each) => each.value,
      () => undefined,
    );
    return {
      extracted: value === undefined ? tokenOf(subject) : grounded(value, subject),
      ...(suggest === null ? {} : { tickers: soundTickers(value?.tickers ?? [], subject) }),
    };
  }

  return {
    name: 'openai',
    async probe(account, signal) {
      const talk = talkOf(account, defaultModel, 1, signal, {
        instructions: 'Answer with JSON.',
        messages: [{ role: 'user', content: 'Answer with {"ok": true}.' }],
      });
      try {
        await talk.endpoint.send({ ...talk, schema: readiness });
      } catch (error) {
        // It read the question, and refused only its form.
        if (!refusesSchema(error)) throw talk.endpoint.failure(error);
        plain.add(talk.place);
      }
    },
    async ask(account, question, { signal, questions, onText }) {
      const talk = talkOf(account, question.model, questions, signal, conversationOf(question));
      try {
        const { text, citations, model, tickers } = await explained(talk, question, onText);
        const token = question.extract
          ? await extracted(goingOn(talk, text, wanted.extraction(question.suggest)), question)
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

function talkOf(
  account: Account,
  asked: string,
  questions: number,
  signal: AbortSignal,
  conversation: Conversation,
): Talk {
  const model = account.model ?? asked;
  return {
    ...conversation,
    model,
    place: JSON.stringify([account.baseUrl, account.api, model]),
    endpoint: endpointOf(account, questions, signal),
  };
}

/** With words added to the last message. */
function adding(talk: Talk, words: string): Talk {
  const last = talk.messages.at(-1)!;
  return { ...talk, messages: [...talk.messages.slice(0, -1), { ...last, content: `${last.content}\n\n${words}` }] };
}

/** With an answer, and what is said to it. */
const goingOn = (talk: Talk, answer: string, words: string): Talk => ({
  ...talk,
  messages: [...talk.messages, { role: 'assistant', content: answer }, { role: 'user', content: words }],
});
