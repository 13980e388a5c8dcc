/** Reads `multipart/form-data`: files into temporary files, fields by the contract. */
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { badRequest, ServiceError } from '../../contract/service-error.ts';
import { mediaKind, mediaTypeOf } from '../../contract/media-type.ts';
import { queryValues } from '../../contract/parameter-value.ts';
import { checkPartType, isJsonMember, jsonValue, type FormMember } from '../../contract/form-body.ts';
import type { Uploads } from './upload.ts';

/** Maximum numbers of files and fields of a form, and of bytes of a field and of its name. */
const limits = { files: 50, fields: 500, parts: 500, fieldSize: 256 * 1024, fieldNameSize: 256, headerPairs: 50 };

/** What arrived under one name. */
interface Given {
  readonly texts: string[];
  readonly files: Promise<File>[];
}

const same = (text: string): string => text;

/** The parts of one form. */
class Parts {
  readonly #members: ReadonlyMap<string, FormMember>;
  readonly #uploads: Uploads;
  readonly #given = new Map<string, Given>();

  constructor(members: ReadonlyMap<string, FormMember>, uploads: Uploads) {
    this.#members = members;
    this.#uploads = uploads;
  }

  #of(name: string): Given {
    const given = this.#given.get(name) ?? { texts: [], files: [] };
    this.#given.set(name, given);
    return given;
  }

  /** Adds a field. Throws 400 and 415. */
  field(name: string, text: string, { isTruncated, type }: { isTruncated: boolean; type: string }): void {
    const member = this.#members.get(name);
    if (isTruncated)
      throw new ServiceError(413, `member '${name}' of the body is larger than ${limits.fieldSize / 1024} kB`);
    if (member !== undefined) checkPartType(member, type);
    this.#of(name).texts.push(text);
  }

  /** Receives a file. Throws 400 and 415. */
  file(name: string, stream: BusboyFileStream, filename: string, type: string): void {
    const member = this.#members.get(name);
    if (member?.isFile === false) throw badRequest(`member '${name}' of the body must not be a file`);
    if (member !== undefined) checkPartType(member, type);
    // The parser reports a cut-off form here a second time, when nothing reads the stream any more.
    stream.on('error', () => {});
    const file = this.#uploads.receive(stream, type).then((blob) => new File([blob], filename, { type }));
    // An error of one file ends the whole form, which waits for all of them later.
    file.catch(() => {});
    this.#of(name).files.push(file);
  }

  /** The value of the form, when all files have arrived. Throws 400. */
  async value(): Promise<Record<string, unknown>> {
    const entries = await Promise.all(
      [...this.#given].map(async ([name, given]) => [name, await this.#valueOf(name, given)] as const),
    );
    return Object.fromEntries(entries);
  }

  async #valueOf(name: string, { texts, files }: Given): Promise<unknown> {
    const member = this.#members.get(name);
    const values: readonly unknown[] = [...(await Promise.all(files)), ...(files.length > 0 ? texts : [])];
    if (values.length > 1 && member?.isList !== true && member !== undefined)
      throw badRequest(`member '${name}' of the body is given more than once`);
    if (values.length > 0) return member?.isList === true || values.length > 1 ? values : values[0];
    if (member === undefined) return texts.length === 1 ? texts[0] : texts;
    if (member.isFile) throw badRequest(`member '${name}' of the body must be a file`);
    if (isJsonMember(member)) return jsonValue(name, member, texts);
    const pairs = texts.map((raw) => ({ name, raw }));
    const [value] = queryValues(member.parameter, member.shape, pairs, same) ?? [];
    if (value === undefined) throw badRequest(`member '${name}' of the body is given more than once`);
    return value;
  }
}

/**
 * Reads a form from a stream. `contentType`: the header with the boundary. Rejects with 400, 413 and 415; then the stream may be
 * unread.
 */
export async function readMultipart(
  stream: Readable,
  contentType: string,
  members: ReadonlyMap<string, FormMember>,
  uploads: Uploads,
): Promise<Record<string, unknown>> {
  const parts = new Parts(members, uploads);
  const parser = createParser(contentType, members);
  // It reports some errors again after it has failed.
  parser.on('error', () => {});
  const fail = (error: unknown): void => void parser.destroy(error as Error);
  const attempt = (work: () => void, onError: () => void = () => {}): void => {
    try {
      work();
    } catch (error) {
      onError();
      fail(error);
    }
  };
  parser.on<'field'>('field', (name, text, isNameTruncated, isTruncated, _encoding, type) =>
    attempt(() => {
      if (isNameTruncated) throw badRequest('the name of a member of the body is too long');
      parts.field(name, text, { isTruncated, type });
    }),
  );
  parser.on<'file'>('file', (name, file, filename: string | undefined, _encoding, type) =>
    attempt(
      () => parts.file(name, file, filename ?? 'blob', mediaTypeOf(type)),
      () => file.resume(),
    ),
  );
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(event, () => fail(badRequest('the form has too many members')));
  try {
    await pipeline(stream, parser);
  } catch (error) {
    throw error instanceof ServiceError ? error : badRequest('the body is not a valid form');
  }
  return parts.value();
}

/**
 * Whether a part with a file name is a field: `FormData` writes a part with a media type, such as JSON, only as a Blob, and names it
 * `blob`.
 */
function isTypedField(member: FormMember | undefined, type: string | undefined): boolean {
  if (member === undefined) return false;
  const kind = mediaKind(type ?? '');
  return isJsonMember(member) ? kind === 'json' : kind === 'text' && member.encoding?.contentType !== undefined;
}

/** Throws 400 for a header without a boundary. */
function createParser(contentType: string, members: ReadonlyMap<string, FormMember>): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits,
      isPartAFile: (name, type, filename) => {
        const member = name === undefined ? undefined : members.get(name);
        return member?.isFile === true || (filename !== undefined && !isTypedField(member, type));
      },
    });
  } catch {
    throw badRequest('the body is not a valid form: its content type has no boundary');
  }
}
