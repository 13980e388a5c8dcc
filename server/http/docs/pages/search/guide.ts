/** The text of /docs/search that no table of the code contains. A test parses every query in it. */
import { newsDomains } from '../../../../search/language/news-domains.ts';
import { html, type Html } from '../html.ts';

/** A link that puts a query into the box. */
export const example = (query: string, kind = ''): Html =>
  html`<a class="example${kind === '' ? '' : ` ${kind}`}" href="#query=${encodeURIComponent(query)}"><code>${query}</code></a>`;

/** Queries and their meaning. */
export const rules: readonly (readonly [query: string, means: Html])[] = [
  ['coffee beans', html`Both words, anywhere and in any order. A blank means AND.`],
  [
    'coffee OR tea',
    html`Either. <code>OR</code> is in upper case, with blanks around it; <code>or</code> is a word like any other, and so is
    <code>AND</code>.`,
  ],
  ['new coffee OR tea', html`<strong>OR binds tighter than a blank:</strong> new, and either coffee or tea.`],
  ['(new coffee) OR tea', html`Parentheses group: both new and coffee, or tea.`],
  ['coffee -decaf', html`Coffee without decaf. <code>-</code> negates what it touches.`],
  [
    'coffee -(decaf OR "flat white") -filter:replies',
    html`Everything can be negated: words, phrases, tags, operators and groups.`,
  ],
  ['-filter:links -filter:replies', html`A query may ask only for what is absent.`],
  [
    '"next to"',
    html`A phrase: these words next to each other. An unclosed quote runs to the end; <code>\\"</code> is a quote within it.`,
  ],
  ['"the * file"', html`A <code>*</code> on its own in a phrase is exactly one word, whichever.`],
  ['state-of-the-art', html`Words joined by hyphens or other signs are that phrase.`],
  ['#coffee', html`The hashtag, whole: not <code>#coffeetime</code>. Without <code>#</code> the word is looked for.`],
  [
    '$BTC',
    html`The cashtag: up to six letters, and an ending such as <code>.B</code>. <code>$100</code> is a number with a sign before
    it.`,
  ],
  ['@tom_sails', html`Names that user. For what a user wrote: <code>from:</code>.`],
  [
    'https://example.org/node-24',
    html`A link with these words next to each other, short or as it leads on; what follows <code>?</code> or <code>#</code> in it
    is ignored.`,
  ],
  ['CAFÉ', html`The same as <code>cafe</code>: case, accents and width do not matter, on either side.`],
  [
    '京都 OR 서울 OR กาแฟ',
    html`Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese are found within longer runs of letters.`,
  ],
  ['☕', html`Emoji are words, each on its own; skin tones make no difference.`],
  ['coffee ?', html`Signs on their own are looked for in the text.`],
];

export const dates: readonly (readonly [query: string, means: Html])[] = [
  [
    'since:2026-03-04',
    html`From that day on, 00:00:00 UTC. Days that no calendar has are refused; one digit will do: <code>2026-3-4</code>.`,
  ],
  ['until:2026-03-05', html`Before that day: <code>since:</code> is inclusive, <code>until:</code> exclusive.`],
  ['since:2026-03-04_05:06:07', html`A moment, in UTC where no zone is named.`],
  ['since:2026-03-04_05:06:07_PST', html`A moment in a zone.`],
  ['until:2026-03-04T05:06:07Z', html`The same as RFC 3339 writes it.`],
  ['since_time:1772600767 until_time:1772700000', html`Unix seconds, likewise inclusive and exclusive.`],
  ['within_time:2d', html`The last two days, counted back from the moment of each request.`],
];

/** Decisions where platforms and tools differ or specify nothing, with the reasons. */
export const decisions: readonly (readonly [topic: string, here: Html, why: Html])[] = [
  [
    'AND and OR',
    html`OR binds tighter, also in queries with names of the v2 API.`,
    html`The platform's own search box reads queries so; its v2 API reads them the other way round. One language has one
    precedence. Parentheses are the same in both.`,
  ],
  [
    'Unknown operators',
    html`${example('note:well')} is searched as the words “note well”. A name that is one edit away from an operator
    (${example('fron:mira', 'refused')}) is refused with the operator that was probably meant; in quotes it is searched as words
    (${example('"fron:mira"')}). A known operator with a bad value is refused, with what was expected.`,
    html`Texts have colons: “update: done” must not be an error. A misspelt value would else silently find the wrong thing.`,
  ],
  [
    'What cannot be answered',
    html`Refused by its name.`,
    html`An operator that is dropped in silence gives wrong results that look right.`,
  ],
  [
    'Signs',
    html`A run of signs is found as it is (${example(':)')}), and each of its signs on its own: <code>?</code> finds “what?!”,
    <code>?!</code> only “?!”. Next to a word they are ignored: ${example('what?')} is “what”.`,
    html`Emoticons stay whole, and one question mark finds every question, without a list for each pair of signs.`,
  ],
  [
    'Korean',
    html`By syllable, as Chinese, Japanese and Thai by character: a word is a phrase of them.`,
    html`Korean endings are written onto the word: 서울 is to be found in 서울에서. What a dictionary takes for a word changes with its
    version; a syllable stays one, and search stays exact.`,
  ],
  [
    'Accents',
    html`Folded in the query and in the text.`,
    html`The platform says only that an accented query finds both; people leave accents out on either side.`,
  ],
  [
    'Spelling, plurals',
    html`As written: no correction, no plural folding. <code>+word</code> is the same as <code>word</code>.`,
    html`An archive is to be counted as well as looked at: what was not asked for must not be found.`,
  ],
  [
    'Negation in OR',
    html`${example('coffee OR -tea')} is read as logic has it.`,
    html`The platform's tools disagree: some refuse it, some take OR for a word.`,
  ],
  [
    'Negation alone',
    html`Accepted.`,
    html`All tweets of an archive are a set of known size; the answer comes in pages.`,
  ],
  [
    'Where words are found',
    html`In the text, the author's name and username, links, and the title and text of an article. Operators and words look at the
    quoting tweet, never at the quoted one.`,
    html`As in the platform's search box; articles, which have no operator, are texts.`,
  ],
  [
    'within_time',
    html`The span ends now, at each request. A later page of the same query counts anew.`,
    html`Nothing else is true of “the last two days”. For a window that stands still use
    ${example('since:2026-03-04 until:2026-03-06')}.`,
  ],
  [
    'Names of places',
    html`${example('near:"Cape Town"')} finds tweets posted from a place with these words next to each other in its name or full
    name. With ${example('near:"Cape Town" within:10km')} it also finds what was posted up to 10 km from the centre of such a
    place, and a tweet with exact coordinates only if they lie so near. <code>within:</code> belongs to each <code>near:</code>
    of its group.`,
    html`There is no gazetteer here: the places are those of the archive. What no tweet was ever posted from is not found.`,
  ],
  [
    'Where a tweet was posted',
    html`${example('geocode:-33.92,18.42,25km')}, <code>point_radius:</code> and <code>bounding_box:</code> take the exact
    coordinates of a tweet; a tweet that has only a place is found if the whole box of the place lies in the area. The location in
    the author's profile does not count.`,
    html`So the platform's v2 API describes it. Distances are great-circle distances on a sphere of 6,371.0088 km; a box whose west
    is greater than its east crosses the antimeridian.`,
  ],
  [
    'Lists',
    html`${example('list:715919216927322112')} or ${example('list:esa/astronauts')}: what members of the list wrote. A list that
    the archive does not have finds nothing.`,
    html`Lists and their members are records of the native import format. The owner's name is the current one.`,
  ],
  [
    'Cards and polls',
    html`${example('card_name:poll')} is a poll of any kind; ${example('card_name:poll3choice_text_only')} one with three options.
    Other kinds of cards are found where the source names them.`,
    html`The v2 API gives a poll with its options but does not name its card: the number of options and the media tell it.`,
  ],
  [
    'Zones',
    html`UTC, GMT, Z and those of North America that the platform writes; any other is refused.`,
    html`The letters of a zone mean different places to different people (<code>IST</code> is three).`,
  ],
  [
    'Replies',
    html`What answers a tweet; where the source does not say, what starts with a mention. ${example('to:mira_codes')} finds replies
    that name her, and replies to a tweet of hers that the archive has.`,
    html`Older exports have no reply fields. The start of the text is all that they tell. Newer ones may give only the id of the
    tweet.`,
  ],
  [
    'Kinds of video',
    html`<code>consumer_video</code> and <code>pro_video</code> are <code>native_video</code>. Animations are media, not videos.`,
    html`A tweet's data does not tell the kinds apart.`,
  ],
  [
    'News',
    html`A list of ${newsDomains.size} domains, with what lies below them.`,
    html`Papers, agencies, broadcasters and magazines that many tweets link to. The platform's own list has thousands and is not
    documented.`,
  ],
  [
    'Unknown counts',
    html`Count as 0: <code>min_faves:1</code> does not find them.`,
    html`Old exports leave counts out, and a lower bound should hold for what it finds.`,
  ],
];
