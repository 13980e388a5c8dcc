/** Which channel of the event stream has the events of which list. */

/** A channel of the protocol (`x-channels`). */
interface Channel {
  readonly params: readonly string[];
  /** `log` channels replay events from a cursor. */
  readonly kind?: string;
  /** The operation that returns the same data. */
  readonly rest?: string;
}
export type Channels = Readonly<Record<string, Channel>>;

/** By operationId: the name of the channel, and the names of its parameters. Only channels with a history. */
export function channelsByOperation(
  channels: Channels,
): Record<string, readonly [channel: string, ...params: string[]]> {
  return Object.fromEntries(
    Object.entries(channels).flatMap(([name, { kind, rest, params }]) =>
      kind === 'log' && rest !== undefined ? [[rest, [name, ...params] as const] as const] : [],
    ),
  );
}
