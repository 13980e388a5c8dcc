// Prints, before and after entities are extracted, whether V8 has its fast ways for regular expressions and arrays. Run with --allow-natives-syntax.
import { entitiesOf } from '../../server/formats/text.ts';

const isFast = new Function('return %RegExpSpeciesProtector() && %ArrayIteratorProtector()') as () => boolean;
const before = isFast();
const { mentions, hashtags, cashtags, urls } = entitiesOf('@ada #tea $TEA https://example.org/a?b=1');
console.log(JSON.stringify([before, mentions, hashtags, cashtags, urls.map(({ url }) => url), isFast()]));
