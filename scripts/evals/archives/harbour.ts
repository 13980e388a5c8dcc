/** A harbour in several languages: a strike with angry replies in Italian, a timetable in German, a recipe in Spanish, a film in Japanese. */
import { recordsOf, type Person, type Row } from './rows.ts';

const people: readonly Person[] = [
  ['porto_notizie', 'Porto Notizie', 'Notizie dal porto, ogni giorno.', 9100],
  ['marta_b', 'Marta', 'Bari.', 210],
  ['gino_v', 'Gino', '', 95],
  ['hafen_ost', 'Hafen Ost', 'Fahrplan und Meldungen der Fähre.', 4400],
  ['kai_kapitaen', 'Kai', 'Fährt seit dreißig Jahren zur See.', 700],
  ['nora_n', 'Nora', 'Pendlerin.', 130],
  ['cocina_lola', 'Lola', 'Recetas de mi abuela.', 15000],
  ['pepe_p', 'Pepe', '', 60],
  ['ines_i', 'Inés', 'Profesora.', 340],
  ['eiga_hiro', 'ヒロ', '映画の感想を書きます。', 2600],
  ['sora_s', 'そら', '', 80],
  ['ola_o', 'Ola', 'Translates between ports.', 520],
];

const it = { lang: 'it' };
const de = { lang: 'de' };
const es = { lang: 'es' };
const ja = { lang: 'ja' };
const angry = [
  'Che schifo, ancora una volta senza avviso',
  'Vergogna! Noi pendolari paghiamo e voi ve ne fregate',
  'Ma ha senso tutto questo? No',
  'Sono furioso, ho perso il lavoro per colpa vostra',
  'Ladri',
  'È uno scandalo, qualcuno ha una spiegazione?',
  'Basta, non ne posso più',
  'Pessimo servizio, come sempre',
  'Questo sciopero ha rovinato la nostra giornata',
  'Ridicoli',
];

const rows: readonly Row[] = [
  [
    '610001',
    'porto_notizie',
    '2026-03-10T05:00:00Z',
    'Traghetti fermi oggi: i marinai scioperano per la paga notturna. #traghetti',
    { ...it, likes: 75 },
  ],
  ...angry.map((text, n): Row => [
    String(610010 + n),
    n % 2 === 0 ? 'marta_b' : 'gino_v',
    `2026-03-10T05:${10 + n}:00Z`,
    `@porto_notizie ${text}`,
    { ...it, to: '610001', likes: 20 - n },
  ]),
  [
    '610030',
    'porto_notizie',
    '2026-03-12T17:00:00Z',
    'Accordo raggiunto: i traghetti ripartono domani alle 6. #traghetti',
    { ...it, likes: 210 },
  ],

  [
    '620001',
    'hafen_ost',
    '2026-02-02T06:00:00Z',
    'Die Fähre fährt heute nicht, weil der Hafen vereist ist. #faehre',
    { ...de, likes: 34 },
  ],
  [
    '620002',
    'nora_n',
    '2026-02-02T06:10:00Z',
    '@hafen_ost Gibt es einen Bus als Ersatz?',
    { ...de, to: '620001', likes: 12 },
  ],
  [
    '620003',
    'hafen_ost',
    '2026-02-02T06:25:00Z',
    '@nora_n Ja, die Linie 7 fährt jede halbe Stunde ab dem Markt.',
    { ...de, to: '620002', likes: 15 },
  ],
  [
    '620004',
    'kai_kapitaen',
    '2026-02-02T07:00:00Z',
    '@hafen_ost Richtig so. Das Eis ist vier Zentimeter dick.',
    { ...de, to: '620001', likes: 22 },
  ],
  [
    '620005',
    'nora_n',
    '2026-02-02T08:00:00Z',
    '@kai_kapitaen Das stimmt nicht, am Kai ist schon alles frei.',
    { ...de, to: '620004', likes: 3 },
  ],
  [
    '620006',
    'hafen_ost',
    '2026-02-04T06:00:00Z',
    'Ab heute fährt die Fähre wieder nach Fahrplan. Das Eis ist weg. #faehre',
    { ...de, likes: 61 },
  ],
  ['620007', 'hafen_ost', '2026-01-10T06:00:00Z', 'Der neue Fahrplan gilt ab Montag.', { ...de, likes: 9 }],
  ['620008', 'hafen_ost', '2026-01-12T06:00:00Z', 'Wegen Wind fallen zwei Fahrten aus.', { ...de, likes: 7 }],
  ['620009', 'hafen_ost', '2026-01-20T06:00:00Z', 'Hunde fahren ab Februar kostenlos mit.', { ...de, likes: 40 }],

  [
    '630001',
    'cocina_lola',
    '2026-06-01T10:00:00Z',
    'Tortilla de mi abuela: seis huevos, cuatro patatas y una cebolla. A fuego lento, veinte minutos. #recetas',
    { ...es, likes: 530 },
  ],
  [
    '630002',
    'pepe_p',
    '2026-06-01T10:20:00Z',
    '@cocina_lola ¿Se puede hacer sin cebolla?',
    { ...es, to: '630001', likes: 44 },
  ],
  [
    '630003',
    'cocina_lola',
    '2026-06-01T10:40:00Z',
    '@pepe_p Claro, pero entonces añade una patata más.',
    { ...es, to: '630002', likes: 51 },
  ],
  [
    '630004',
    'ines_i',
    '2026-06-01T11:00:00Z',
    '@cocina_lola No estoy de acuerdo, una tortilla con cebolla no es tortilla.',
    { ...es, to: '630001', likes: 80 },
  ],
  [
    '630005',
    'cocina_lola',
    '2026-06-01T11:10:00Z',
    '@ines_i En mi casa siempre la hicimos así. Cada familia tiene su receta.',
    { ...es, to: '630004', likes: 62 },
  ],
  [
    '630006',
    'ola_o',
    '2026-06-02T09:00:00Z',
    '@cocina_lola I made it with olive oil from Crete and it was wonderful, thank you!',
    { to: '630001', likes: 17 },
  ],
  [
    '630007',
    'ines_i',
    '2026-06-02T10:00:00Z',
    '¡La receta de Lola me salió perfecta a la segunda!',
    { ...es, quotes: '630001', likes: 25 },
  ],

  [
    '640001',
    'eiga_hiro',
    '2026-04-18T12:00:00Z',
    '昨日「海の手紙」を見ました。上映時間は二時間十分。最後の場面で泣きました。 #映画',
    { ...ja, likes: 120 },
  ],
  ['640002', 'sora_s', '2026-04-18T12:30:00Z', '@eiga_hiro 監督は誰ですか？', { ...ja, to: '640001', likes: 8 }],
  [
    '640003',
    'eiga_hiro',
    '2026-04-18T12:45:00Z',
    '@sora_s 監督は森田あきさんです。',
    { ...ja, to: '640002', likes: 14 },
  ],
  ['640004', 'ola_o', '2026-04-19T08:00:00Z', '@eiga_hiro Is it shown outside Japan?', { to: '640001', likes: 5 }],
  ['640005', 'eiga_hiro', '2026-04-19T09:00:00Z', '@ola_o Yes, in Lisbon from 3 May.', { to: '640004', likes: 6 }],
];

export const harbour = recordsOf(people, rows, [['630001', 'ines_i']]);
