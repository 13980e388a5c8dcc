/** The record schema as one document with local references, to make records from. */
import archive from '../../../generated/archive.json' with { type: 'json' };
import openapi from '../../../generated/openapi.json' with { type: 'json' };
import type { SchemaNode, SchemaDocument } from '../../../scripts/contract-tools/arbitrary/schema.ts';
import { schemaAt } from '../../../scripts/contract-tools/arbitrary/schema.ts';

const local = JSON.stringify(archive).replaceAll('./openapi.yaml#/', '#/');
const { components } = JSON.parse(local) as { components: { schemas: Record<string, object> } };
const { Id, Media, Card, Article, Entities, Mention, UrlEntity } = openapi.components.schemas;

export const recordDocument: SchemaDocument = {
  components: { schemas: { ...components.schemas, Id, Media, Card, Article, Entities, Mention, UrlEntity } },
};

/** The schema of a kind of record. */
export const placeOf = (kind: string): SchemaNode =>
  schemaAt(recordDocument, `/components/schemas/${kind[0]!.toUpperCase()}${kind.slice(1)}Record`);

/** The bound of a whole record in bytes. */
export const mostRecordBytes = archive.components.schemas.ArchiveRecord['x-max-bytes'];
