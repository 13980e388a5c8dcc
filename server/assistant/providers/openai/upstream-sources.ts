/** The sources that endpoints name, each in its own way, as citations. */
import { citation } from '../../sources.ts';
import { items, member, type Part } from './part.ts';

const source = (url: unknown, title?: unknown, snippet?: unknown): Part[] => {
  const cited = citation(url, title, snippet);
  return cited === undefined ? [] : [{ source: cited }];
};

/** `annotations` of a text: `url_citation`, with its members beside the type or (chat form) under a member of that name. */
export function annotationCitations(annotations: unknown): Part[] {
  return items(annotations).flatMap((annotation) => {
    if (member(annotation, 'type') !== 'url_citation') return [];
    const cited = member(annotation, 'url_citation') ?? annotation;
    return source(member(cited, 'url'), title(cited), member(cited, 'content'));
  });
}

/** Lists beside the answer: `citations` (addresses, or objects) and `search_results`. */
export function listedCitations(answer: unknown): Part[] {
  return [...items(member(answer, 'citations')), ...items(member(answer, 'search_results'))].flatMap((each) =>
    typeof each === 'string'
      ? source(each)
      : source(member(each, 'url'), title(each), member(each, 'snippet') ?? member(each, 'preview')),
  );
}

/** Some endpoints number their sources and give the number for a title. */
function title(cited: unknown): unknown {
  const given = member(cited, 'title');
  return typeof given === 'string' && /^\d*$/.test(given) ? undefined : given;
}
