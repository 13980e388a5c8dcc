/** How the relations of many owners are saved. */
import type { Relation, SavedRelation } from '../../collections/relation.ts';
import { readValues, saveValues, type SectionReader, type Sections } from '../../collections/saved-table.ts';

export const saveRelations = (relations: Iterable<readonly [owner: string, relation: Relation]>): Sections =>
  saveValues(partsOf(relations));

function* partsOf(relations: Iterable<readonly [string, Relation]>): Generator<[string, SavedRelation], void> {
  for (const [owner, relation] of relations) for (const part of relation.parts()) yield [owner, part];
}

/** `relationOf` returns the relation of an owner, which it creates. */
export function loadRelations(reader: SectionReader, relationOf: (owner: string) => Relation): void {
  for (const [owner, part] of readValues<[string, SavedRelation]>(reader)) relationOf(owner).addPart(part);
}
