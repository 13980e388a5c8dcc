/** The spaces of the sample; `hoursBefore` is the start in hours before the end of the sample, negative for the future. */
export const spaces: [
  title: string,
  state: 'scheduled' | 'live' | 'ended',
  host: string,
  hoursBefore: number,
  lang: string,
  ticketed?: true,
][] = [
  ['First crack, live', 'live', 'beanward', 1, 'en'],
  ['Night watch: sails and stories', 'live', 'salt_ivy', 2, 'en'],
  ['Tabelle der Woche: Garten und Keller', 'live', 'krautwerk', 1, 'de'],
  ['Ask a referee', 'ended', 'offside_olga', 70, 'en'],
  ['Reading an annual report together', 'ended', 'ledger_lines', 190, 'en', true],
  ['How to check a token contract', 'ended', 'cold_wallet', 310, 'en'],
  ['El café y la montaña', 'ended', 'huila_ana', 420, 'es'],
  ['Marathon week: questions and nerves', 'ended', 'pace_notes', 700, 'en'],
  ['星を見る夜', 'ended', 'hoshi_taro', 900, 'ja'],
  ['Side B: records nobody asked for', 'ended', 'side_b', 1300, 'en', true],
  ['Small databases, long lives', 'scheduled', 'ada_patch', -30, 'en'],
  ['Counting bikes in winter', 'scheduled', 'bakfiets_bo', -54, 'en'],
  ['Kitap ve kahve', 'scheduled', 'kitap_kurdu', -76, 'tr'],
  ['Dark sky evening', 'scheduled', 'ring_nebula', -100, 'en', true],
];
