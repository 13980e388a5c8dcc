/** The texts for the states of a stream. */
import type { State } from './stream.ts';

const createKeyHint = 'npm start prints one the first time, npm run keys -- create --name me makes another.';
const finalCloseTexts: Readonly<Record<number, string>> = {
  4000: 'This page sent what the server cannot read: reload it.',
  4001: `The API key is missing or wrong: type it again. ${createKeyHint}`,
  4002: `This API key was not made for events: type one that has the scope events. ${createKeyHint}`,
  4003: 'This key has as many connections as it may: close another page or listener, then listen again.',
  4004: 'This page asked for the stream by a URL that the server does not know: reload it.',
  4005: `The API key was revoked, or has expired: type another one. ${createKeyHint}`,
};
const reconnectTexts: Readonly<Record<number, string>> = {
  4100: 'The server has more to do than it can.',
  4101: 'Nothing was asked for.',
  4108: 'This browser took the events too slowly.',
  4111: 'The server had a fault.',
  4129: 'Too many connections with this key, or wrong keys from this address, in the last minute.',
  4200: 'The server restarts.',
  4201: 'This browser did not answer.',
};

const number = new Intl.NumberFormat('en');

/** A short name of the state, and one sentence about it. */
export function wordingOf(state: State): { readonly name: string; readonly detail: string } {
  switch (state.is) {
    case 'idle':
      return { name: 'Not connected', detail: 'Choose what to listen to, and press Listen.' };
    case 'connecting':
      return { name: 'Connecting', detail: '' };
    case 'replaying':
      return { name: 'Replaying', detail: 'What happened meanwhile comes first.' };
    case 'live':
      return { name: 'Live', detail: '' };
    case 'lagging':
      return {
        name: 'Lagging',
        detail: `${number.format(state.behind)} events behind: they come as fast as this browser takes them.`,
      };
    case 'refused':
      return { name: 'Refused', detail: 'The server does not take this: see the reason at the field.' };
    case 'waiting':
      return {
        name: 'Reconnecting',
        detail: reconnectTexts[state.code] ?? 'The connection was lost, or the server cannot be reached.',
      };
    case 'closed': {
      const text = finalCloseTexts[state.code];
      if (text !== undefined) return { name: `Refused with ${state.code}`, detail: text };
      return {
        name: `Closed with ${state.code}`,
        detail: `${state.reason === '' ? 'The server ended it' : state.reason}. Listen again to connect anew.`,
      };
    }
  }
}
