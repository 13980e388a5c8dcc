/** English: the fixed phrases of the answers, and the words that show what a question asks for. */

/**
 * The phrases. `{name}` is a place for a value. English defines which phrases exist and which values they take; the
 * other languages have the same.
 */
const phrases = {
  wrote: '{who} wrote on {when}: {quote}',
  wroteNothing: '{who} posted this without text on {when}.',
  reposted: '{who} reposted on {when} what {whom} wrote: {quote}',
  repostedUnknown: '{who} reposted a post on {when} that the archive does not have.',
  postedOn: '{who} posted this on {when}.',
  userWithId: 'the user with id {id}',
  userUnknown: 'The archive has no post by {who}.',
  profileUnknown: 'The archive has no profile of this author.',
  verifiedAccount: 'verified account',
  andMore: '{list} and more',

  repliesTo: 'It replies to {who}: {quote}',
  repliesToMissing: 'It replies to a post that the archive does not have.',
  repliesToMissingOf: 'It replies to a post by {who} that the archive does not have.',
  noReplyTo: 'It is not marked as a reply to another post.',
  continues: "It continues the author's own post: {quote}",
  threadStarted: '{who} started the thread: {quote}',
  threadGoesOn: 'The author continues the thread; later posts in the archive: {count}.',
  threadEnds: 'The archive has no later post of the author in this thread.',
  quotesPost: 'It quotes {who}: {quote}',
  quotesMissing: 'It quotes a post that the archive does not have.',
  noQuote: 'It is not marked as a quote of another post.',
  linksTo: 'It links to {list}.',
  noLinks: 'The archive has no link in this post.',
  attached: 'Attached: {list}. I cannot see pictures or videos.',
  noMedia: 'The archive has no picture or video of this post.',
  mentions: 'It mentions {list}.',
  noMentions: 'It mentions nobody by username.',
  hashtags: 'Its hashtags: {list}.',
  noHashtags: 'It has no hashtag.',
  token: 'The post names a token: {list}.',
  tokenMany: 'It contains several addresses ({count}); this is the first one.',
  noToken: 'The post names no token, ticker or contract address.',
  tokenUnchecked: 'I did not check whether this token is genuine.',
  articleTitle: 'It publishes the article {quote}.',
  articleSays: 'From the article: {list}',

  figures: 'Figures: {list}.',
  figuresOfRepost: 'Figures of the reposted post: {list}.',
  notCounted: 'The source gave no count of: {list}.',
  nothingCounted: 'The source gave no counts for this post.',
  usual: '{label}: {count}, {level} for this author (median of {posts} other posts in the archive: {median}).',
  farMore: 'far more than usual',
  more: 'more than usual',
  same: 'about as usual',
  less: 'less than usual',
  farLess: 'far less than usual',
  tooFew:
    'There are too few counted posts of this author in the archive for a comparison: {posts} of at least {needed}.',
  repostUncompared: 'It is a repost, so it has no engagement of its own to compare.',

  repliesHere: 'Replies in the archive: {count}.',
  repliesOf: 'Replies in the archive: {count} of {total}.',
  repliesRead: 'I read the {count} most engaging ones.',
  noReplies: 'It had no replies when the source counted them.',
  repliesMissing: 'The source counted replies ({total}), but the archive has none of them.',
  repliesUnknown: 'The archive has no replies to it, and the source gave no count of them.',
  onlyAuthorReplies: "The archive has no replies by others, only the author's own.",
  stances: 'By their wording: {list}.',
  stanceFound: 'Yes, by their wording: {label} ({count} of {total}).',
  stanceNone: 'No reply in the archive clearly does that by its wording ({label}: 0 of {total}).',
  mostLiked: 'The most engaging reply, by {who}: {quote}',
  oneReply: 'One of them, by {who}: {quote}',
  agree: 'agree or praise',
  disagree: 'disagree or doubt',
  asks: 'ask something',
  jokes: 'joke',
  neutral: 'none of these',
  moodReplies: 'The replies sound {mood} by their words and emoji.',
  moodPost: 'The post sounds {mood} by its words and emoji.',
  moodNone: 'I found no word or emoji that shows a mood.',
  moodCounts: 'Positive: {positive}, negative: {negative}, neither: {neutral}.',
  moodWords: 'Words that count: {list}.',
  positive: 'mostly positive',
  negative: 'mostly negative',
  mixed: 'mixed',
  calm: 'neutral',

  authorIs: 'The author is {who}.',
  followers: 'Followers: {count}.',
  otherPosts: 'Other posts of the author in the archive that I read: {count}.',
  usualWords: 'Frequent words in them, with the number of posts: {list}.',
  noUsualWords: 'No word occurs often in them.',
  newest: 'The newest of them, from {when}: {quote}',
  noOtherPosts: 'The archive has no other post of this kind by the author.',

  reasonGiven: 'This passage gives a reason. {who}: {quote}',
  noReason: 'The archive states no reason. The post says: {quote}',
  noReasonNoText: 'The archive states no reason, and the post has no text.',
  answers: '{who}: {quote}',
  closest: 'Nothing here answers this directly. The closest passage is by {who}: {quote}',
  notHere: 'I found nothing about {list} in {places}.',
  notHereAtAll: 'I found nothing that answers this in {places}.',
  elsewhere: 'Elsewhere in the archive, posts with these words ({list}): {count}.',
  wordsOnly: 'I compare words, and the post is in another language ({language}).',
  thePost: 'the post',
  theArticle: 'its article',
  thePreview: 'its link preview',
  theQuoted: 'the quoted post',
  theReposted: 'the reposted post',
  theThread: 'its thread',
  theReplies: 'the replies in the archive',
  authorsPosts: "the author's other posts",
  inPost: 'post',
  inReply: 'reply',
  inThread: 'thread',
  inArticle: 'article',
  inPreview: 'link preview',
  inQuoted: 'quoted post',
  inReposted: 'reposted post',
  inOther: 'other post of {when}',
  nothingSuch: 'The archive has no such text for this post.',

  relatedFound: 'Other posts in the archive on the same subject: {count}.',
  sameLink: 'Posts with the same link ({what}): {count}.',
  sameTag: 'Posts with {what}: {count}.',
  sameDays: 'Posts of the author within three days: {count}.',
  relatedNone: 'I found no other post in the archive with the same link, tag or cashtag.',
  orMore: '{count} or more',

  item: 'Number {number}, by {who}: {quote}',
  noItem: 'There is no number {number}: I listed {count}.',
  noItems: 'I have listed nothing that this could mean.',
  noMore: 'There is nothing more in the archive on this.',

  cannotTranslate: 'I cannot translate.',
  cannotVerify: 'I cannot judge whether this is true: I only read the archive.',
  cannotPredict: 'I cannot predict anything or give advice: I only read the archive.',
  cannotAct: 'I cannot do anything for you outside this archive: I only read it.',
  cannotJudge: 'I have no opinion: I only read the archive.',
  useModel: 'A language model can try; the operator of this service connects one with ASSISTANT=openai.',
  postSays: 'The post says: {quote}',
  doubts: 'Replies that doubt or disagree by their wording: {count} of {total}.',
  self: 'I am the local assistant of this service. I answer from the archive only: who wrote a post and when, what it says, its thread, its replies, its figures, and other posts on the same subject.',
  suggestAbout: 'The tickers come from words of the post; those that your instruction names come first.',
  suggestReal: 'The post names these tickers itself, so I proposed none.',
  suggestRefused:
    'I cannot follow this instruction for tickers: I only take words from the post, and none of them is in the instruction.',
  suggestNone: 'I found no word for a ticker in the post.',

  likes: 'likes',
  reposts: 'reposts',
  replies: 'replies',
  quotes: 'quotes',
  bookmarks: 'bookmarks',
  views: 'views',
  photos: 'photos',
  videos: 'videos',
  animations: 'animations',
  ticker: 'ticker',
  name: 'name',
  contract: 'contract',
  chain: 'chain',
} as const;

const cues = {
  translate:
    'translate|translation|in english|into \\w+|in (?:spanish|french|german|portuguese|japanese|arabic|hindi|chinese|italian|korean)',
  verify:
    '(?:is|are|was|were) .{1,40} (?:true|accurate|correct|legit\\w*|fake|real|reliable|safe|genuine|credible|right|wrong)(?=[^a-z]*$)|how (?:true|accurate|reliable|credible)|is (?:it|this|that|the claim|what \\w+ says?) (?:really |actually )?(?:true|real|correct|accurate|legit|legitimate|fake|false|a scam|a hoax|genuine|reliable|credible|right)|fact.?check|true or false|can i trust|(?:is|are) (?:this|it|they|he|she) (?:lying|trustworthy)|verify|is it true|really true|debunk|misinformation|(?:a )?scam|legit|spam|a bot|propaganda|clickbait',
  act: '^(?:please |can you |could you )*(?:buy|sell|order|send|delete|block|unfollow|retweet|email|book|pay|download|remind|notify|invest|donate)',
  predict:
    '^will|predict\\w*|forecast\\w*|^(?:is|are) .{1,60} going to|what will happen|what happens next|should (?:i|we)|price target|in the future|worth (?:buying|it)|(?:do|would|can) you (?:recommend|advise)|give me advice',
  opinion:
    'your opinion|do you (?:think|agree|like|believe)|what do you (?:think|make)|would you|are you sure|is (?:it|this) (?:good|bad|funny|interesting|stupid|smart)',
  self: 'who are you|what are you|what can you do|help me|how do you work|your (?:system )?(?:prompt|instructions)|system prompt|are you (?:a|an) (?:bot|ai|model|human)|what model',
  replies:
    'folks|guys|other \\w+s|commentators|audience|crowd|repl(?:y|ies|ied|ying)|respon(?:d|ds|ded|se|ses)|comment(?:s|ed|ers|ing)?|answers?|people|others|everyone|everybody|anyone|anybody|someone|somebody|readers?|reactions?|react(?:ed|ing|s)?|the public|community think|commenters|responders',
  they: 'they|them|these people|those people',
  thread: 'thread|conversation|discussion',
  before:
    'how (?:does|did) .{1,30} (?:start|begin)|start of (?:the|this) thread|before|earlier|previous(?:ly)?|repl(?:y|ies|ying) to|in response to|responding to|answering|respond to|answer to|parent|who (?:began|started)|(?:began|started) (?:the|this)|reacting to',
  after:
    'after(?:wards)?|next|continue(?:s|d)?|later|go(?:es)? on|follow(?:s|ed)? up|rest of|further|the end|in the end|conclu\\w+',
  article: 'article|essay|long.?form',
  quoted: 'quot(?:e|ed|es|ing)',
  author: 'author|writer|account|poster|op|she|he|her|him|his|they usually|user|this person|who is this',
  post: 'post|tweet|message|text',
  summarise:
    'summar\\w+|tl;?\\s?dr|gist|sum (?:it |this |them )?up|in (?:short|brief|a nutshell)|boil\\w* down|main points?|key points?|takeaways?|short version|recap|overview|condense|digest|essence',
  explain:
    "explain\\w*|eli5|like (?:i am|i'?m) (?:five|5)|(?:in )?(?:simple|plain|layman'?s?) (?:terms|words|english)|for dummies|mean(?:s|ing)?|about|analy[sz]e|analysis|context|going on|what is (?:this|it|that|happening)|what'?s (?:this|it|that|up)|tell me (?:more )?about (?:this|it)|describe|understand|what (?:does|did) (?:it|this|the (?:post|tweet)|(?:s?he|they)|the author) (?:say|claim|write|post|state)|say|topic|subject",
  bullets: 'bullets?|bullet.?points?|list|points',
  oneSentence: '(?:one|single|1|a) (?:sentence|line|phrase)|one.?liner',
  short:
    'short(?:er|est)|briefer|few words|fewer words|short(?:ly)?|brief(?:ly)?|quick(?:ly)?|concise(?:ly)?|tl;?\\s?dr',
  agree:
    'agree(?:s|d|ing|ment)?|support(?:s|ed|ive|ers?)?|praise\\w*|approve\\w*|in favou?r|compliment\\w*|fans?|congratulat\\w*|likes? it',
  disagree:
    'disagree\\w*|against|objects? to|objected|objections?|critic\\w*|doubt\\w*|contradict\\w*|oppos\\w+|skeptic\\w*|sceptic\\w*|push.?back|complain\\w*|controvers\\w+|wrong|hate(?:s|rs?)?|argue\\w*|dispute\\w*|haters',
  ask: 'asks?|asked|asking|questions?|wonder\\w*|want to know',
  joke: 'jok(?:e|es|ed|ing)|funn(?:y|iest)|humou?r\\w*|laugh\\w*|memes?|sarcas\\w+|irony|ironic',
  best: 'most \\w+|best|top|most (?:liked|popular|engaging)|highest|biggest|leading',
  sentiment:
    'positive(?:ly)?|negative(?:ly)?|sentiment|mood|tone|feel(?:s|ing|ings)?|emotion\\w*|attitude|vibe|positive or negative|angry|happy|sad|upset|excited|negative or positive|atmosphere|received|reception',
  compare:
    'compar\\w+|usual(?:ly)?|average|median|viral|popular\\w*|perform\\w*|success\\w*|a lot|many for|normal|typical|unusual|out of the ordinary|reach|engagement|attention|well did|how well|do well|did well|better than|worse than|big deal|blow up|blew up|stand out',
  howMany: 'how many|number of|count|how much|how often|total',
  likes: 'likes?|liked|hearts?|favou?rites?',
  reposts: 'reposts?|reposted|retweets?|retweeted|shares?|shared|rts?',
  quoteCount: 'quotes?|quote tweets?',
  bookmarks: 'bookmarks?|bookmarked|saved?',
  views: 'views?|viewed|impressions?|seen|saw',
  followers: 'followers?|following|famous|well.?known|influential|celebrity',
  who: "(?:who|person|guy|account) (?:is )?behind|who|whose|whom|who'?s|which (?:account|user|person)",
  when: 'when|what (?:time|date|day|year)|how (?:old|long ago|recent)|which (?:day|date|year)|date|time of day|^(?:(?:what|which) )?year(?=[^a-z]*$)',
  where: 'where|which (?:place|city|country)|location',
  why: "why|what(?:'s| is| was)? the reason|reasons?|how come|what for|because of what|motiv\\w+|cause[ds]?|purpose",
  wrote: 'wrot?e|writt?en|post(?:ed|ing|s)?|said|says|tweet(?:ed|s)?|publish(?:ed)?|sent|made|created?',
  related:
    'related|else|other posts?|similar|same (?:link|topic|tag|hashtag|subject|story|article)|more on this|elsewhere|archive|around (?:that|this) (?:time|day)|same day|who else|anything else|other people',
  links: 'links?|linked|urls?|website|web ?page|sources?|cit(?:e|es|ed|ation|ations)|where can i read|references?',
  media: 'pictures?|photos?|images?|videos?|gifs?|media|screenshots?|look like|attachments?',
  mentions: 'mention(?:s|ed)?|tag(?:s|ged)|@',
  hashtags: 'hashtags?|tags?',
  token: 'token|coin|contract(?: address)?|ticker|blockchain|ca|cashtag',
  usual:
    'usually|often|typically|generally|normally|other topics|interests?|interested in|known for|what kind of|does (?:s?he|they|the author|this (?:person|account|user)) (?:usually |normally )?do|background|profile|bio',
  newest: 'latest|newest|recent(?:ly)?|lately|last post',
  more: 'more|another(?: one)?|go on|others|other ones|what else|anything else|next one|and (?:what )?else|continue|additional',
  first: 'first|1st|number (?:one|1)|#1|no\\.? ?1',
  second: 'second|2nd|number (?:two|2)|#2|no\\.? ?2',
  third: 'third|3rd|number (?:three|3)|#3|no\\.? ?3',
  fourth: 'fourth|4th|number (?:four|4)|#4',
  fifth: 'fifth|5th|number (?:five|5)|#5',
  last: 'last (?:one|reply|of)|final one|the last',
  reason:
    'because|since|due to|so that|in order to|therefore|that is why|thanks to|the reason|as a result|caused by|to (?:avoid|get|make|stop|save|help|keep)',
  filler:
    "claims?|original(?:ly)?|use[sd]?|using|includ\\w+|contain\\w*|got|named?|called|suggest\\w*|opinions?|thoughts?|exact|please|actual|main|tell us|tweeter|with|get|gets|receiv\\w+|big|detail(?:s|ed)?|specific\\w*|it|this|that|the|a|an|of|to|in|on|is|are|was|were|do|does|did|what|which|how|and|or|please|can|could|you|me|i|us|my|give|tell|show|for|with|by|so|there|be|has|have|had|just|exactly|really|then|ok|okay|any|all|some|here|one|ones|them|these|those|at|from|get|got|think|thinks|thought|make|let|know|words?|sentences?|hi|hello|thanks|now|so far|out|up|than|ever|also|too|sort|kind|as|most|your|own|much|many|say|says|saying|said|going|happening|been|being|its|their|comes?|came|happens?|happened|looks?|see|finds?|found|adds?|added|goes|takes?|put|needs?|there|person|guy|want|wanted|trying|actually|into|down|itself|someone|something|anything|everything|nothing|might|would|could|should|am|let'?s|whats|whos|between|give me",
} as const;

/** Words of replies that show a stance. */
const stance = {
  agree:
    "agree[ds]?|exactly|so true|very true|well said|this[.!]|same here|me too|congrat\\w*|great|love (?:it|this)|lovely|beautiful|amazing|awesome|brilliant|nice|yes|thank(?:s| you)|well done|good (?:luck|job|work|one)|perfect|wonderful|impressive|finally|wow|bravo|happy for|glad|delicious|gorgeous|clear that|needed this|couldn't agree more",
  disagree:
    "disagree\\w*|not (?:true|sure|convinced|really|quite|the case)|wrong|no way|nope|i doubt|doubtful|nonsense|rubbish|bullshit|false|misleading|actually,? no|hardly|citation needed|overrated|terrible|awful|bad (?:idea|take)|unpopular opinion|i don'?t (?:think|believe|buy)|isn'?t true|scam|fake|never works?|hate",
  joke: 'lol|lmao|lmfao|rofl|haha\\w*|hehe\\w*|joking|kidding|just kidding|jk|/s',
} as const;

const polarity = { positive: '', negative: '' } as const;
const negations = "not|no|never|n't|cannot|without|hardly|don't|doesn't|didn't|isn't|wasn't|aren't|won't|can't";

export const en = { code: 'en', locale: 'en-GB', phrases, cues, stance, polarity, negations } as const;
