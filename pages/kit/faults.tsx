/** Errors in plain words, with what to do. */
import {
  ApiError,
  BadRequestError,
  ConnectionError,
  ConversationExpiredError,
  ForbiddenError,
  NotFoundError,
  NotImplementedError,
  RateLimitError,
  StreamError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from '@social-data/client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { askForKey, enteredKey } from './key.ts';

export interface Explained {
  readonly title: string;
  readonly text: string;
  /** `key`: another key helps; `retry`: another attempt may help; `none`: neither does. */
  readonly remedy: 'key' | 'retry' | 'none';
  /** Seconds to wait before the next attempt. */
  readonly waitSeconds?: number;
}

const wait = (seconds: number | undefined): Pick<Explained, 'waitSeconds'> =>
  seconds === undefined ? {} : { waitSeconds: Math.max(1, Math.ceil(seconds)) };

function explainUnauthorized(): Explained {
  return enteredKey() === ''
    ? { title: 'Enter an API key', text: 'Everything on this service is read with an API key.', remedy: 'key' }
    : {
        title: 'The key is not valid here',
        text: 'It may be mistyped, revoked or expired. Enter another key.',
        remedy: 'key',
      };
}

/** The message of the service as a sentence. */
export const sentence = (message: string): string => {
  const text = message.trim();
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
};

/** An error in plain words, with what the reader can do. */
export function explain(error: unknown): Explained {
  if (error instanceof UnauthorizedError) return explainUnauthorized();
  if (error instanceof ForbiddenError)
    return {
      title: 'This key may not do this',
      text: `${sentence(error.message)} Ask the operator for a key with this scope.`,
      remedy: 'key',
    };
  if (error instanceof NotFoundError)
    return {
      title: 'Not here',
      text: `${sentence(error.message)} This service has only what was imported or followed.`,
      remedy: 'none',
    };
  if (error instanceof BadRequestError)
    return { title: 'This request cannot be read', text: sentence(error.message), remedy: 'none' };
  if (error instanceof ConversationExpiredError)
    return {
      title: 'This conversation has expired',
      text: 'Conversations end some time after their last question. Start a new one about the tweet.',
      remedy: 'none',
    };
  if (error instanceof RateLimitError)
    return {
      title: 'Too many requests',
      text: 'This key has used up its rate limit. It can go on soon.',
      remedy: 'retry',
      ...wait(error.retryAfter),
    };
  if (error instanceof UnavailableError)
    return { title: 'Not available now', text: sentence(error.message), remedy: 'retry', ...wait(error.retryAfter) };
  if (error instanceof NotImplementedError)
    return { title: 'This platform does not have it', text: sentence(error.message), remedy: 'none' };
  if (error instanceof ApiError)
    return { title: `The service answered ${error.status}`, text: sentence(error.message), remedy: 'retry' };
  if (error instanceof StreamError)
    return { title: 'The event stream ended', text: sentence(error.message), remedy: 'retry' };
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return navigator.onLine
      ? {
          title: 'The service does not answer',
          text: 'It may be starting, or the network may be down. Start it with npm start, or try again.',
          remedy: 'retry',
        }
      : { title: 'You are offline', text: 'The page continues when the network is back.', remedy: 'retry' };
  return { title: 'Something went wrong', text: 'The browser console has the details.', remedy: 'retry' };
}

/** A button for the next attempt. It counts down while the service asks to wait, and tries again when the network is back. */
function Retry({ retry, waitSeconds = 0 }: { retry: () => void; waitSeconds?: number | undefined }): VNode {
  const [left, setLeft] = useState(waitSeconds);
  useEffect(() => {
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [retry]);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <button type="button" class="primary" disabled={left > 0} onClick={retry}>
      {left > 0 ? `Try again in ${left} s` : 'Try again'}
    </button>
  );
}

export function Fault({ error, retry }: { error: unknown; retry?: (() => void) | undefined }): VNode {
  const { title, text, remedy, waitSeconds } = explain(error);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div class="panel fault" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      {remedy === 'key' && (
        <button type="button" class="primary" onClick={() => askForKey()}>
          Enter a key
        </button>
      )}
      {remedy === 'retry' && retry !== undefined && <Retry retry={retry} waitSeconds={waitSeconds} />}
      {requestId !== undefined && remedy === 'retry' && <p class="hint">Request id: {requestId}</p>}
    </div>
  );
}
