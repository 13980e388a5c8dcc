/** Request bodies of every media type: how a value is written, and which value a body has. */
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import { isMediaRange, mediaKind, mediaTypeOf } from '../../../server/contract/media-type.ts';
import { isObject } from '../../../server/contract/values.ts';
import { formMembers, isJsonMember, parseForm, type FormMember } from '../../../server/contract/form-body.ts';
import { keysOf } from '../files/pointer.ts';
import { follow, typesOf, valueAt, type Json, type SchemaNode } from '../arbitrary/schema.ts';
import { utf8 } from './call.ts';

/** The boundary between the parts of a form. No value has it. */
const boundary = 'verify-boundary-8f1c6a';

/** The header Content-Type for a media type of the contract. */
export function contentTypeOf(type: string): string {
  if (mediaKind(type) === 'multipart') return `multipart/form-data; boundary=${boundary}`;
  if (isMediaRange(type) || type === '*/*')
    return type.startsWith('text/')
      ? 'text/plain'
      : type.replace('*/*', 'application/octet-stream').replace('/*', '/x-verify');
  return type;
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The members of a form at a place of the contract. */
function membersOf(document: object, node: SchemaNode): ReadonlyMap<string, FormMember> {
  const media = valueAt(
    document,
    `/${keysOf(node.pointer)
      .slice(0, -1)
      .map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
      .join('/')}`,
  );
  const encoding = isObject(media) && isObject(media.encoding) ? media.encoding : {};
  return formMembers(document as OpenApiDocument, { schema: node.schema as object, encoding } as never);
}

/** The texts of a member of a form: JSON for objects, one text for each item of a list. */
function textsOf(member: FormMember | undefined, value: Json): string[] {
  if (member !== undefined && isJsonMember(member)) return [JSON.stringify(value)];
  if (Array.isArray(value)) return (value as Json[]).map(textOf);
  return [textOf(value)];
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function formText(members: ReadonlyMap<string, FormMember>, value: { readonly [name: string]: Json }): string {
  return Object.entries(value)
    .flatMap(([name, member]) => textsOf(members.get(name), member).map((text) => `${encode(name)}=${encode(text)}`))
    .join('&');
}

function multipartBytes(members: ReadonlyMap<string, FormMember>, value: { readonly [name: string]: Json }): string {
  const parts = Object.entries(value).flatMap(([name, each]) => {
    const member = members.get(name);
    const quoted = utf8(name.toWellFormed()).replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    const [type] = member?.encoding?.contentType?.split(',') ?? [];
    const isRange = type === undefined || type.includes('*');
    const values = member?.isFile
      ? (Array.isArray(each) ? (each as Json[]) : [each]).map(textOf)
      : textsOf(member, each);
    return values.map((text) => {
      const file = member?.isFile ? '; filename="verify.bin"' : '';
      const fileType = type === undefined ? 'application/octet-stream' : contentTypeOf(type.trim());
      const contentType = isRange ? (file === '' ? undefined : fileType) : type.trim();
      const header = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`;
      return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"${file}${header}\r\n\r\n${utf8(text.toWellFormed())}\r\n`;
    });
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** The bytes of a body with a value, as a latin1 string. */
export function writtenBody(
  document: object,
  { type, node }: { readonly type: string; readonly node: SchemaNode },
  value: Json,
): string {
  const kind = mediaKind(type);
  const isMembers = isObject(value) && !Array.isArray(value);
  if (kind === 'form' && isMembers) return utf8(formText(membersOf(document, node), value as { [name: string]: Json }));
  if (kind === 'multipart')
    return multipartBytes(membersOf(document, node), isMembers ? (value as { [name: string]: Json }) : {});
  if (kind === 'text' || kind === 'binary') return utf8(textOf(value).toWellFormed());
  return utf8(JSON.stringify(value));
}

/**
 * The value of a body that is no JSON: of a form its members, of a text itself. Undefined for one that cannot be read. Files and
 * binary bodies have no value: `opaque`.
 */
export async function readBody(
  document: object,
  { contentType, node }: { readonly contentType: string; readonly node: SchemaNode },
  bytes: Buffer,
): Promise<{ readonly value: unknown } | 'opaque' | undefined> {
  const kind = mediaKind(mediaTypeOf(contentType));
  try {
    if (kind === 'binary') return 'opaque';
    // Its parts may be files.
    if (kind === 'multipart') return await readMultipart(membersOf(document, node), contentType, bytes);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (kind === 'text') return typesOf(follow(document, node).schema).includes('string') ? { value: text } : 'opaque';
    return { value: parseForm(membersOf(document, node), text) };
  } catch {
    return undefined;
  }
}

async function readMultipart(
  members: ReadonlyMap<string, FormMember>,
  contentType: string,
  bytes: Buffer,
): Promise<{ readonly value: unknown } | 'opaque'> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  const isFile = (name: string, value: string | Blob): boolean =>
    members.get(name)?.isFile === true || (typeof value !== 'string' && mediaKind(value.type) !== 'json');
  const files = [...form].filter(([name, value]) => isFile(name, value));
  if (files.some(([name, value]) => typeof value === 'string' || members.get(name)?.isFile !== true)) return 'opaque';
  const pairs = Array.from(form, async ([name, value]) => {
    // The members beside a file are checked; of a file itself, the contract says nothing that a text could break.
    if (isFile(name, value)) return `${encode(name)}=`;
    const text = typeof value === 'string' ? value : await value.text();
    return `${encode(name)}=${encode(text)}`;
  });
  return { value: parseForm(members, (await Promise.all(pairs)).join('&')) };
}
