/** What the invented people of the sample talk about. `{a|b}` is one of the two, `{name}` a word from the lists below. */

export interface Interest {
  readonly name: string;
  readonly tag: string;
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly posts: readonly string[];
}

export const interests: readonly Interest[] = [
  {
    name: 'Home Roasters',
    tag: 'homeroasting',
    words: { bean: ['Yirgacheffe', 'Huehuetenango', 'Sidamo', 'Kayanza', 'Antigua', 'Nyeri'], taste: ['apricot', 'cocoa', 'black tea', 'lime', 'toffee', 'jasmine'] },
    posts: [
      'Roasted {200|250|300} grams of {bean} before breakfast. First crack came {early|late|right on time}, and the kitchen smells of {taste}.',
      'Coffee question: does anyone rest {bean} longer than a week? Day {four|six|nine} is where mine turns into {taste}.',
      'The old popcorn machine gave up. {Time for a real drum|One more repair|I will miss it}. Last batch: {bean}, all {taste}.',
      'Cupped {three|four|five} coffees blind with the neighbours. {bean} won, mostly for the {taste}.',
      'Dropped the charge temperature by {five|eight|ten} degrees and the {bean} finally tastes of {taste} instead of toast.',
      'Espresso log: 18 in, {36|38|40} out, {27|29|31} seconds. More {taste} than yesterday.',
    ],
  },
  {
    name: 'Open Source Evenings',
    tag: 'opensource',
    words: { thing: ['parser', 'test runner', 'cache', 'migration', 'linter', 'build'], time: ['an afternoon', 'a week', 'twenty minutes', 'far too long'] },
    posts: [
      'Deleted {400|900|1,200} lines from the {thing} today. Everything still passes. Best code I wrote this {week|month}.',
      'It took {time} to find out that the {thing} was right and my test was wrong.',
      'Reviewing a pull request from a first-time contributor: clear title, small diff, a test for the {thing}. Please be like them.',
      'If your {thing} needs a diagram to be explained, it needs fewer boxes, not a better diagram.',
      'Release notes for the {thing}: faster start, {two|three|five} fixes, and one flag nobody used is gone.',
      'Pinned the runtime, dropped the loader, and the {thing} starts in {80|120|200} ms. Spent {time} on it, worth it.',
    ],
  },
  {
    name: 'Harbour Sailors',
    tag: 'sailing',
    words: { wind: ['a steady southwesterly', 'hardly any wind', 'gusts up to thirty knots', 'a soft sea breeze'], place: ['the outer buoy', 'the lighthouse', 'the old pier', 'the sandbank'] },
    posts: [
      'Out to {place} and back with {wind}. {Nobody got wet|Everybody got wet|The thermos survived}.',
      'Replaced the {halyard|mainsheet|bilge pump} myself. Only dropped the {shackle|screwdriver} into the water {once|twice}.',
      'Forecast says {wind}. The harbour café says otherwise. I trust the café.',
      'First light at {place}. Worth getting up at {four|five}.',
      'Race report: good start, {wind}, wrong side of {place}. Ninth of {fourteen|twenty}.',
    ],
  },
  {
    name: 'Long Run Club',
    tag: 'running',
    words: { far: ['8', '12', '16', '21', '30'], feel: ['heavy legs', 'fresh legs', 'a side stitch', 'new shoes'] },
    posts: [
      '{far} km along the river with {feel}. {The geese were in a mood|Not a soul on the path|Met half the club}.',
      'Night run, {far} km, head torch and {feel}. The city is somebody else after eleven.',
      'Intervals on the track: {six|eight|ten} times 800 with {feel}. Ask me tomorrow how that went.',
      'Taper week. I have cleaned the whole flat and reorganised the spices.',
      'Marathon in {three|five|nine} weeks. Today {far} km, felt like twice that.',
    ],
  },
  {
    name: 'Balcony Gardeners',
    tag: 'gardening',
    words: { plant: ['tomatoes', 'chillies', 'basil', 'sweet peas', 'courgettes', 'figs'], pest: ['aphids', 'snails', 'a very determined pigeon', 'mildew'] },
    posts: [
      'The {plant} made it through the frost. I talked to them, that must be why.',
      '{plant} against {pest}: two to one.',
      'Swapped {seeds|cuttings} with the lady downstairs. She has {plant} like you would not believe.',
      'Harvest: {three|eleven|forty} {plant}. Cost per piece: do not ask.',
      'Does anyone grow {plant} on a north-facing balcony? Mine look offended.',
    ],
  },
  {
    name: 'Endgame Study Group',
    tag: 'chess',
    words: { piece: ['rook', 'bishop', 'knight', 'queen', 'pawn'], how: ['on move 34', 'in a won position', 'with two minutes left', 'again'] },
    posts: [
      'Blundered a {piece} {how}. Going for a walk.',
      'Today in the study group: opposite {bishops|castling}, and why the extra {piece} was not enough.',
      'Mate in {three|four} with a quiet {piece} move. I stared at it for {ten|twenty} minutes and then laughed.',
      'My opponent offered a draw {how}. I declined. I should not have declined.',
      'The lesson of tonight: put the {piece} behind the passed pawn. Always.',
    ],
  },
  {
    name: 'Backyard Astronomers',
    tag: 'astronomy',
    words: { object: ['Saturn', 'the Pleiades', 'Jupiter and its moons', 'the Orion nebula', 'a faint comet', 'the half moon'], sky: ['clear', 'hazy', 'perfectly dark', 'full of planes'] },
    posts: [
      '{object} through the small refractor, sky {sky}. {Showed the neighbours|Forgot the time|Froze two fingers}.',
      'Stacked {40|120|300} frames of {object}. Noise down, wonder up.',
      'Clouds. Of course clouds. {object} will still be there on {Thursday|Sunday}.',
      'Sketched {object} instead of photographing it. You see more when you have to draw it.',
    ],
  },
  {
    name: 'Market Watchers',
    tag: 'markets',
    words: { coin: ['$BTC', '$ETH', '$SOL', '$BONK', '$LINK'], stock: ['$NVDA', '$TSLA', '$AAPL', '$MSFT', '$AMD'], way: ['up', 'down', 'flat', 'all over the place'] },
    posts: [
      '{coin} {way} on the day, volume {thin|heavy}. Not advice, just watching.',
      '{stock} and {stock} moved together again, {way} {two|four|six} percent since the open.',
      'Everybody has an opinion on {coin} at {the top|the bottom}. I have a spreadsheet.',
      'Earnings from {stock} tonight. {Guidance matters more than the quarter|I expect nothing and will be surprised}.',
      'New {coin} pair listed, contract DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263 on Solana: check the address before you click anything.',
      'Moved a little from {coin} to {coin}. Sleep is also a yield.',
    ],
  },
  {
    name: 'Slow Kitchen',
    tag: 'cooking',
    words: { dish: ['lentil soup', 'sourdough', 'braised fennel', 'plum cake', 'dumplings', 'jollof rice'], secret: ['more lemon', 'patience', 'a pinch of nutmeg', 'burnt butter'] },
    posts: [
      '{dish} tonight. The secret is {secret}.',
      'Third try at {dish}. {Edible|Good|Finally like at home}. What changed: {secret}.',
      'Fed {six|nine|fourteen} people with one pot of {dish} and {secret}.',
      'My grandmother on {dish}: {secret}, and no phone at the table.',
    ],
  },
  {
    name: 'City Cyclists',
    tag: 'cycling',
    words: { road: ['the canal path', 'the ring road', 'the new bike bridge', 'the cobbles by the market'], thing: ['a flat tyre', 'tailwind both ways', 'three closed gates', 'a marching band'] },
    posts: [
      'Commute by {road}: {thing}. Still faster than the bus.',
      'The counter on {road} passed {100,000|half a million|a million} riders this year.',
      'Built the winter bike. Mudguards, dynamo, and {thing} on the first ride.',
      'Petition for lights on {road}: {312|540|1,100} signatures so far.',
    ],
  },
  {
    name: 'Sunday League',
    tag: 'football',
    words: { score: ['2-1', '0-0', '4-3', '1-5'], why: ['in the rain', 'with ten of us', 'after a very long warm-up', 'thanks to the goalkeeper'] },
    posts: [
      '{score} {why}. Best ninety minutes of the week.',
      'Our striker missed from {two|three} metres and scored from {thirty|forty}. {score}.',
      'New kit arrived. We now lose {score} in a much better colour.',
      'The referee is also our baker, so nobody argues. {score} {why}.',
    ],
  },
  {
    name: 'Tape and Vinyl',
    tag: 'music',
    words: { find: ['a jazz trio from 1962', 'a sealed disco single', 'a field recording of trains', 'a choir I had never heard of'], where: ['in a flea market', 'behind the shelf', 'at the library sale'] },
    posts: [
      'Found {find} {where}. {Plays like new|One long scratch, still lovely}.',
      'Practised the same {four|eight} bars all evening. The neighbours know them too.',
      'Now playing: {find}. Side B is the better one.',
      'Digitised {find}. It turns out side A was recorded {half a tone flat|twice as fast}.',
    ],
  },
];

/** Posts in other languages, with their tags. */
export const worldly: readonly { readonly lang: string; readonly posts: readonly string[] }[] = [
  { lang: 'es', posts: ['Hoy el mar estaba tranquilo y el café, fuerte. Buen domingo.', 'Se acabó la harina, pero el pan salió perfecto. #cocina', '¿Quién viene a correr mañana temprano por el puerto?', 'La biblioteca abre otra vez. Tres libros bajo el brazo y una sonrisa.'] },
  { lang: 'de', posts: ['Endlich Regen für die Tomaten auf dem Balkon. #garten', 'Zwanzig Kilometer Gegenwind, danach Pflaumenkuchen. Gerecht.', 'Der Zug war pünktlich. Ich habe es schriftlich.', 'Heute Abend Schach im Park, wer Licht hat, bringt es mit.'] },
  { lang: 'fr', posts: ['Marché du samedi : des figues, du fromage et trop de conversations.', 'Le ciel est enfin dégagé, je sors le télescope. #astronomie', 'Un café, un carnet, et la pluie sur la verrière.', 'Répétition ce soir, la basse est toujours trop forte.'] },
  { lang: 'pt', posts: ['Manhã de sol, bicicleta nova e nenhuma pressa.', 'A receita da avó funcionou à primeira. Milagre. #cozinha', 'Quem mais acha que o intervalo do jogo é a melhor parte?'] },
  { lang: 'ja', posts: ['今朝の東京は涼しくて、走りやすかった。 #ランニング', '新しい豆を焙煎した。部屋中がいい香り。', '週末は友達と山へ行きます。星がきれいだといいな。', '図書館で借りた本が面白くて、駅を乗り過ごした。'] },
  { lang: 'ko', posts: ['오늘 한강에서 십 킬로미터 달렸어요. 바람이 시원했어요.', '커피 새로 볶았어요. 향이 정말 좋네요. #커피', '주말에는 체스 모임이 있어요. 누구나 환영합니다.'] },
  { lang: 'ar', posts: ['صباح الخير من الميناء، البحر هادئ والقهوة جاهزة.', 'جربت وصفة جديدة اليوم وكانت لذيذة جدا. #طبخ', 'من يأتي معنا لمشاهدة النجوم الليلة؟'] },
  { lang: 'hi', posts: ['आज सुबह की दौड़ बहुत अच्छी रही।', 'बालकनी में तुलसी फिर से हरी हो गई। #बागवानी', 'शाम को शतरंज, साथ में अदरक वाली चाय।'] },
  { lang: 'tr', posts: ['Bugün vapurda çay içip martıları izledim.', 'Yeni fırından ilk ekmek çıktı, mis gibi. #mutfak', 'Yarın sabah sahilde koşacak olan var mı?'] },
  { lang: 'th', posts: ['เช้านี้กาแฟอร่อยมาก อากาศก็ดี', 'วิ่งรอบสวนสิบกิโล เหนื่อยแต่สนุก #วิ่ง', 'ปลูกพริกไว้ที่ระเบียง ออกผลแล้ว'] },
  { lang: 'zh', posts: ['今天骑车去了河边，风很大，心情很好。', '新买的望远镜到了，等一个晴天。 #天文', '周末做了奶奶教的饺子，味道刚刚好。'] },
];

export const replies: readonly string[] = [
  'This made my morning.', 'Which one was it in the end?', 'Same here, only with more rain.', 'I would have given up after ten minutes.', 'Tell me more about that!',
  'Saving this for later.', 'Strong words. I agree.', 'We tried that last year and it took us a month.', 'Is there a photo?', 'Congratulations, well earned 🎉', 'Hard disagree, but nicely put.',
  'How long did it take you?', 'My father used to say exactly that.', 'Can I come along next time?', 'The details matter: which setting?', 'I laughed out loud on the tram 😄', 'Thanks, this answers my question from last week.',
];
export const quotes: readonly string[] = ['What I have been saying for years:', 'Worth reading twice.', 'Everyone in the club should see this.', 'I have questions about this.', 'Proof that it can be done 👇', 'Adding to this: start small.'];

export const firstNames = ['Ada', 'Ben', 'Chidi', 'Dora', 'Elif', 'Farid', 'Greta', 'Hana', 'Ivo', 'June', 'Kofi', 'Lena', 'Marek', 'Nia', 'Oskar', 'Priya', 'Quinn', 'Rosa', 'Sami', 'Tuva', 'Umar', 'Vera', 'Wen', 'Xenia', 'Yuki', 'Zora'];
export const lastNames = ['Almeida', 'Brandt', 'Castillo', 'Dumont', 'Eriksen', 'Fonseca', 'Gruber', 'Haddad', 'Ito', 'Jansen', 'Kaya', 'Lindholm', 'Moreau', 'Novak', 'Okafor', 'Park', 'Quiroga', 'Rossi', 'Sharma', 'Tanaka'];
export const places = ['Lisbon', 'Hamburg', 'Nairobi', 'Osaka', 'Montréal', 'Izmir', 'Porto Alegre', 'Seoul', 'Kraków', 'Pune', 'Bergen', 'Chiang Mai', ''];
export const apps = ['Social for Web', 'Social for Android', 'Social for iPhone', 'Postbox'];
