/** Chooses among the media types of the successful responses by the header Accept (RFC 9110 §12.5.1). */
import Negotiator from 'negotiator';
import { mediaTypeOf } from './media-type.ts';
import type { OperationMetadata } from './openapi.ts';

/** The media types of the successful responses, in the order of the contract. */
const successTypes = ({ responses }: Pick<OperationMetadata, 'responses'>): string[] => [
  ...new Set(
    [...responses.values()].filter(({ key }) => key.startsWith('2')).flatMap(({ content }) => [...content.keys()]),
  ),
];

/** Whether a media type or range and another one have a media type in common. */
function overlap(one: string, other: string): boolean {
  const [[type, subtype], [otherType, otherSubtype]] = [mediaTypeOf(one).split('/'), mediaTypeOf(other).split('/')];
  const match = (part: string | undefined, second: string | undefined): boolean =>
    part === '*' || second === '*' || part === second;
  return match(type, otherType) && match(subtype, otherSubtype);
}

/**
 * The media type of the successful responses that a request accepts best; the first one of the contract where it accepts none:
 * a server may disregard Accept (RFC 9110 §12.5.1). Undefined where no success has a body.
 */
export const preferredMediaType = (
  metadata: Pick<OperationMetadata, 'responses'>,
  accept?: string,
): string | undefined => preferredOf(successTypes(metadata), accept);

/** The media type that a request accepts best; the first one where it accepts none. */
export function preferredOf(types: readonly string[], accept = '*/*'): string | undefined {
  const accepted = new Negotiator({ headers: { accept } }).mediaTypes();
  const best = accepted.map((range) => types.find((type) => overlap(type, range)));
  return best.find((type) => type !== undefined) ?? types[0];
}
