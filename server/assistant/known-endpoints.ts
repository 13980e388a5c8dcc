/** The endpoints of known services and model servers, which accounts are added by and answers are named by. */
import type { Account } from '../ports/assistant-provider.ts';

/** A server without a key is one on this machine, at its default port. */
export const knownEndpoints = {
  ollama: { title: 'Ollama', base_url: 'http://127.0.0.1:11434/v1', api: 'chat', needsKey: false },
  'lm-studio': { title: 'LM Studio', base_url: 'http://127.0.0.1:1234/v1', api: 'chat', needsKey: false },
  'llama.cpp': { title: 'llama.cpp', base_url: 'http://127.0.0.1:8080/v1', api: 'chat', needsKey: false },
  vllm: { title: 'vLLM', base_url: 'http://127.0.0.1:8000/v1', api: 'chat', needsKey: false },
  openai: { title: 'OpenAI', base_url: 'https://api.openai.com/v1', api: 'responses', needsKey: true },
  anthropic: { title: 'Anthropic', base_url: 'https://api.anthropic.com/v1', api: 'messages', needsKey: true },
  xai: { title: 'xAI', base_url: 'https://api.x.ai/v1', api: 'responses', needsKey: true },
  openrouter: { title: 'OpenRouter', base_url: 'https://openrouter.ai/api/v1', api: 'chat', needsKey: true },
} as const;

export type KnownEndpoint = (typeof knownEndpoints)[keyof typeof knownEndpoints];

/** Host and port, with one name for this machine. */
const hostOf = (url: string): string => new URL(url).host.replace(/^(?:localhost|\[::1\])(?=:|$)/, '127.0.0.1');

/**
 * The provider of an account's answers, as callers see it: `local`, the name of a known endpoint by its host and port, or `other`.
 * The host of another endpoint, and the name that the operator gave the account, stay unknown to callers.
 */
export function providerOf({ baseUrl }: Pick<Account, 'baseUrl'>): string {
  if (baseUrl === undefined) return 'local';
  const host = hostOf(baseUrl);
  return Object.entries(knownEndpoints).find(([, { base_url: url }]) => hostOf(url) === host)?.[0] ?? 'other';
}
