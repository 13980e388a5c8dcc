/** What an answer is made of: the conversation as a tree, its passages, and the language of the answer. */
import { lazy } from '../../../collections/lazy.ts';
import type { ArchiveReader, Subject } from '../../../ports/assistant-provider.ts';
import { ConversationTree, type Node, type Post } from '../../conversation-tree.ts';
import type { Facts } from './claims.ts';
import type { Language } from './languages.ts';
import { passagesOf, type FactKind, type Passage, type Query } from './retrieval.ts';
import { PostLanguages } from './stance.ts';
import { wordingOf } from './wording.ts';
import { lexisOf, readable, termsOf, type Lexis } from './words.ts';

export interface Context extends Facts {
  readonly archive: ArchiveReader;
  readonly lexis: Lexis;
  /** The question as a text in which words can be found. */
  readonly asked: string;
  /** The concepts that the question names, each with the terms of the words that name it. */
  readonly concepts: Query['concepts'];
  /** The folded names in the question: capitalised words within a sentence, where the language does not capitalise all nouns. */
  readonly names: readonly string[];
  /** The passages of the conversation, and these with those of the author's next posts. */
  readonly passages: readonly Passage[];
  readonly candidates: readonly Passage[];
}

/** An answer, in parts: one sentence that answers, what it rests on, and figures. */
export interface Answer {
  readonly lead: string;
  readonly evidence?: readonly string[];
  readonly figures?: readonly string[];
  /** The posts that the answer lists, in order, so that a follow-up can refer to them. */
  readonly items?: readonly Post[];
  /** Whether the answer names the pages that the post links to. */
  readonly usesPages?: boolean;
}

/** The parts of a conversation that do not depend on the question. */
export interface Scene {
  readonly subject: Subject;
  readonly archive: ArchiveReader;
  readonly tree: ConversationTree;
  readonly languageOf: (node: Node) => Language | undefined;
}

export function sceneOf(subject: Subject, archive: ArchiveReader): Scene {
  const tree = new ConversationTree(subject);
  const found = new PostLanguages(tree);
  const known = new Map<Node, Language | undefined>();
  return {
    ...{ subject, archive, tree },
    languageOf: (node) => {
      if (!known.has(node)) known.set(node, found.of(node));
      return known.get(node);
    },
  };
}

export async function contextOf(
  { archive, tree, languageOf }: Scene,
  language: Language,
  prompt: string,
): Promise<Context> {
  const lexis = await lexisOf(language, tree.source.text);
  const asked = readable(prompt);
  const concepts = lazy(() =>
    language.conceptsIn(asked).map(([name, found]) => [name, termsOf(found.join(' '), lexis)] as const),
  );
  const passages = lazy(() => passagesOf(tree.conversation, lexis));
  const candidates = lazy(() => [...passages(), ...passagesOf(tree.next, lexis)]);
  return {
    ...{ archive, tree, languageOf, wording: wordingOf(language), lexis, asked },
    names: language.code === 'de' ? [] : (prompt.match(/(?<=[\p{L}\p{N},] )\p{Lu}\p{Ll}{2,}/gu) ?? []).map(readable),
    get concepts() {
      return concepts();
    },
    get passages() {
      return passages();
    },
    get candidates() {
      return candidates();
    },
  };
}

/** What a question with these words asks for, in a form that passages can be compared with. */
export function queryOf(
  { lexis, wording: { language }, languageOf, concepts, asked }: Context,
  words: readonly string[],
  fact: FactKind,
): Query {
  return {
    terms: words.map(lexis.stem),
    ...{ concepts, fact },
    isOfNow: language.has('now', asked),
    languageOf: (node) => languageOf(node) ?? language,
  };
}
