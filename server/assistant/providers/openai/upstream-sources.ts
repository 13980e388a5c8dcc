/** Converts the sources in the answers of different endpoints to citations. */
import { citation } from '../../sources.ts';
import { items, member, type Part } from './part.ts';

const source = (url: unknown, title?: unknown, snippet?: unknown): Part[] => {
  const cited = citation(url, title, snippet);
  return cited === undefined ? [] : [{ source: cited }];
};

/**
 * The `annotations` of a text with type `url_citation`. Their members are beside the type, or in the chat dialect in a
 * member `url_citation`.
 */
export function annotationCitations(annotations: unknown): Part[] {
  return items(annotations).flatMap((annotation) => {
    if (member(annotation, 'type') !== 'url_citation') return [];
    const cited = member(annotation, 'url_citation') ?? annotation;
    return source(member(cited, 'url'), title(cited), member(cited, 'content'));
  });
}

/** Lists outside the answer text: `citations` (URLs or objects) and `search_results`. */
export function listedCitations(answer: unknown): Part[] {
  return [...items(member(answer, 'citations')), ...items(member(answer, 'search_results'))].flatMap((each) =>
    typeof each === 'string'
      ? source(each)
      : source(member(each, 'url'), title(each), member(each, 'snippet') ?? member(each, 'preview')),
  );
}

/** Some endpoints return the number of the source as its title. */
function title(cited: unknown): unknown {
  const given = member(cited, 'title');
  return typeof given === 'string' && /^\d*$/.test(given) ? undefined : given;
}
