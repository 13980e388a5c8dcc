/** The texts for the states of a stream. */
import type { State } from './stream.ts';

const createKeyHint = 'The first npm start prints a key; npm run keys -- create --name me creates another.';
const finalCloseTexts: Readonly<Record<number, string>> = {
  4000: 'The server cannot read the messages of this page: reload it.',
  4001: `The API key is missing or invalid: type it again. ${createKeyHint}`,
  4002: `This API key lacks the scope events: type a key with this scope. ${createKeyHint}`,
  4003: 'This key has the maximum number of connections: close another page or client, then listen again.',
  4004: 'The server does not accept the URL that this page uses: reload it.',
  4005: `The API key was revoked, or has expired: type another one. ${createKeyHint}`,
};
const reconnectTexts: Readonly<Record<number, string>> = {
  4100: 'The server is overloaded.',
  4101: 'This page did not subscribe in time.',
  4108: 'This browser received the events too slowly.',
  4111: 'The server had an internal error.',
  4129: 'Too many connections with this key, or invalid keys from this address, in the last minute.',
  4200: 'The server restarts.',
  4201: 'This browser did not reply to pings.',
  4202: 'The token of this connection has ended.',
};

const number = new Intl.NumberFormat('en');

/** A short name of the state, and one sentence about it. */
export function wordingOf(state: State): { readonly name: string; readonly detail: string } {
  switch (state.is) {
    case 'idle':
      return { name: 'Not connected', detail: 'Choose a channel, and press Listen.' };
    case 'connecting':
      return { name: 'Connecting', detail: '' };
    case 'replaying':
      return { name: 'Replaying', detail: 'The missed events come first.' };
    case 'live':
      return { name: 'Live', detail: '' };
    case 'lagging':
      return {
        name: 'Lagging',
        detail: `${number.format(state.behind)} events behind. They arrive as fast as this browser can read them.`,
      };
    case 'refused':
      return { name: 'Refused', detail: 'The server rejected the subscription: see the error at the field.' };
    case 'waiting':
      return {
        name: 'Reconnecting',
        detail: reconnectTexts[state.code] ?? 'The connection was lost, or the server cannot be reached.',
      };
    case 'ended':
      return {
        name: 'Ended',
        detail: `The server has ended the subscription${state.reason === '' ? '' : `: ${state.reason}`}.`,
      };
    case 'closed': {
      const text = finalCloseTexts[state.code];
      if (text !== undefined) return { name: `Refused with ${state.code}`, detail: text };
      return {
        name: `Closed with ${state.code}`,
        detail: `${state.reason === '' ? 'The server closed the connection' : state.reason}. Press Listen to reconnect.`,
      };
    }
  }
}
