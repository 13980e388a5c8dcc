/** The fictitious people of the sample. */

export interface Person {
  username: string;
  name: string;
  location: string;
  /** The topics of the person's posts, the most frequent one first. */
  topics: [string, ...string[]];
  bio: string;
  /** 0 (a quiet account) to 5 (tens of thousands of followers). */
  fame: number;
  verified: boolean;
  blue: boolean;
}

type PersonEntry = [
  username: string,
  name: string,
  location: string,
  topics: string,
  bio: string,
  fame: number,
  badges?: 'verified' | 'blue' | 'both',
];

const entries: PersonEntry[] = [
  [
    'mira_codes',
    'Mira Holt',
    'Bergen',
    'code coffee birds crypto',
    'Builds small archives. Roasts coffee badly, then less badly. Likes fast tests.',
    3,
    'verified',
  ],
  ['tom_sails', 'Tom Abara', 'Lagos', 'sailing code', 'Sails and servers.', 1],
  [
    'ada_patch',
    'Ada Lindqvist',
    'Uppsala',
    'code making',
    'Maintainer of things with few stars. Deletes code for a living.',
    4,
    'both',
  ],
  ['nils_io', 'Nils Okafor', 'Hamburg', 'code cycling de', 'Queues, kites, cargo bikes.', 2],
  ['priya_builds', 'Priya Raman', 'Pune', 'code hi', 'Databases by day, rooftop garden by evening.', 3, 'blue'],
  ['gus_shell', 'Gus Ferreira', 'Porto', 'code pt', 'Terminal person. Também em português.', 2],
  ['lena_types', 'Lena Brandt', 'Leipzig', 'code chess', 'Types are love letters to the next reader.', 3, 'blue'],
  ['kofi_dev', 'Kofi Mensah', 'Accra', 'code football', 'Open source, open goals.', 2],
  ['yuki_logs', 'Yuki Arai', '京都', 'ja code coffee', '小さな道具を作っています。焙煎は趣味。', 2],
  ['beanward', 'Edda Ward', 'Bristol', 'coffee cooking', 'Home roaster. The notebook has 412 pages.', 4, 'blue'],
  ['roast_diary', 'Samir Haddad', 'Tunis', 'coffee ar', 'One roast a day, honestly reported.', 3],
  ['crackle_pop', 'June Pak', 'Busan', 'coffee ko', 'First crack chaser ☕', 2],
  ['slowdrip', 'Otis Marlow', 'Wellington', 'coffee books', 'Filter coffee and fat novels.', 1],
  [
    'huila_ana',
    'Ana Restrepo',
    'Pitalito',
    'coffee es',
    'Tercera generación de café. Third generation of coffee.',
    3,
    'verified',
  ],
  ['decaf_dan', 'Dan Osei', 'Leeds', 'coffee running', 'Yes, decaf. Ask me anything.', 1],
  ['salt_ivy', 'Ivy Tran', 'Hobart', 'sailing stars', 'Small boat, large sky.', 3],
  ['reef_early', 'Callum Reid', 'Oban', 'sailing making', 'Reef early, eat well.', 2],
  ['vento_marco', 'Marco Viani', 'Genova', 'it sailing', 'Vela, orto e radio vecchie.', 2],
  ['tidetable', 'Hanne Vos', 'Harlingen', 'sailing birds', 'Mudflats, tides, terns.', 1],
  ['longrun_lou', 'Lou Petrov', 'Sofia', 'running', 'Marathons, slowly. Coach of nobody.', 4, 'blue'],
  ['fellfoot', 'Bryn Hughes', 'Conwy', 'running birds', 'Up, then down, then cake.', 2],
  ['pace_notes', 'Imani Njoroge', 'Iten', 'running', 'I write training plans that have rest days.', 5, 'both'],
  ['canal_5k', 'Sofie Maes', 'Gent', 'running cycling', 'Canals, cobbles, five kilometres.', 1],
  ['corre_luz', 'Luz Ibarra', 'Valencia', 'es running', 'Corro despacio y llego contenta.', 2],
  ['plot_27', 'Maeve Doyle', 'Cork', 'garden cooking', 'Plot 27, second gate, mind the beans.', 3],
  ['compost_kim', 'Kim Alder', 'Portland', 'garden', 'Ask me about worms.', 2],
  ['beet_poet', 'Ravi Nair', 'Kochi', 'garden books', 'Vegetables and verse.', 1],
  ['kletterrose', 'Gerda Blum', 'Graz', 'de garden', 'Rosen, Bohnen, Balkon.', 1],
  ['jardin_zoe', 'Zoé Mercier', 'Nantes', 'fr garden', 'Jardin, vélo, soupe.', 2],
  ['rook_lift', 'Arman Petrosyan', 'Gyumri', 'chess', 'Club player, endgame romantic.', 3],
  ['zwischenzug', 'Ilse Kramer', 'Utrecht', 'chess music', 'In-between moves and in-between notes.', 2],
  ['knight_f5', 'Diego Sola', 'Rosario', 'chess es', 'El caballo va a f5.', 1],
  ['pawnstorm', 'Tess Whitlock', 'Dunedin', 'chess', 'Teaches chess at a primary school. Loses there too.', 2],
  ['dew_heater', 'Olu Bankole', 'Ibadan', 'stars making', 'Backyard astronomer under a streetlight.', 3],
  [
    'ring_nebula',
    'Freya Sund',
    'Tromsø',
    'stars',
    'Dark half of the year: outside. Bright half: complaining.',
    4,
    'blue',
  ],
  ['orbit_omar', 'Omar Saleh', 'عمّان', 'ar stars', 'أحب السماء والكتب والقهوة.', 2],
  ['balcony_sky', 'Noor Jamil', 'Lahore', 'stars cooking', 'Binoculars, balcony, biryani.', 1],
  ['hoshi_taro', 'Taro Minami', '長野', 'ja stars', '星と山と味噌汁。', 3],
  ['one_pot_pia', 'Pia Santos', 'Lisboa', 'cooking pt', 'One pot, many guests.', 4, 'blue'],
  ['crumbshot', 'Eli Rosen', 'Haifa', 'cooking', 'Bread nerd. The crumb is the message.', 3],
  ['jollof_jury', 'Ngozi Eze', 'Enugu', 'cooking football', 'Settling the jollof question, one pot at a time.', 3],
  ['miso_mondays', 'Hana Cho', '서울', 'ko cooking', '월요일엔 된장국.', 2],
  ['krautwerk', 'Jonas Weil', 'Mainz', 'de cooking', 'Vergorenes und Verlorenes.', 1],
  ['north_stand', 'Frankie Adu', 'Sunderland', 'football', 'Standing in the rain since 1998.', 3],
  ['offside_olga', 'Olga Novak', 'Brno', 'football running', 'Referee, Sunday league. Yes, I saw it.', 2],
  ['golazo_leo', 'Leo Cabral', 'Recife', 'pt football', 'Futebol de praia e código.', 2],
  ['derby_day', 'Ash Patel', 'Leicester', 'football markets', 'Numbers all week, football on Saturday.', 2],
  ['mahalle_spor', 'Emre Kaya', 'İzmir', 'tr football', 'Mahalle maçı, simit, bisiklet.', 1],
  ['bakfiets_bo', 'Bo de Wit', 'Groningen', 'cycling', 'My car is a bicycle with a box.', 4],
  [
    'kerb_appeal',
    'Sanaa Idris',
    'Manchester',
    'cycling books',
    'Street designer. Counts things at junctions.',
    3,
    'verified',
  ],
  ['velo_remi', 'Rémi Garnier', 'Grenoble', 'fr cycling', 'Cols et croissants.', 2],
  ['chainline', 'Pat Quill', 'Dublin', 'cycling making', 'Bicycle mechanic with opinions about chains.', 2],
  ['bike_bell', 'Mei Lin', '成都', 'zh cycling', '骑车上班,顺便拍照。', 1],
  ['patch_cable', 'Robin Ekberg', 'Malmö', 'music making', 'Modular synths, cheap microphones.', 3],
  ['alto_section', 'Clara Voss', 'Weimar', 'music books', 'The altos carried it.', 2],
  ['side_b', 'Malik Toure', 'Dakar', 'music', 'Records, records, records. Radio on Thursdays.', 4, 'blue'],
  ['four_track', 'Wren Abbott', 'Halifax', 'music birds', 'Songs at low volume.', 1],
  ['chorinho_bia', 'Bia Moraes', 'Ouro Preto', 'pt music', 'Violão de sete cordas e café coado.', 2],
  [
    'ledger_lines',
    'Vera Stone',
    'Zürich',
    'markets',
    'Reads annual reports so that you do not have to. Not advice.',
    5,
    'both',
  ],
  ['basis_point', 'Hugo Lang', 'Luxembourg', 'markets running', 'Bonds, hills, patience. Not advice.', 3, 'blue'],
  ['semis_daily', 'Jia Wen', 'Hsinchu', 'markets zh', 'Semiconductors in small bites. 芯片观察。', 4, 'blue'],
  ['value_val', 'Val Moretti', 'Torino', 'it markets', 'Bilanci e risotti.', 1],
  ['cold_wallet', 'Dmitri Vale', 'Tbilisi', 'crypto', 'Checks contracts. Sleeps well.', 4, 'blue'],
  ['onchain_oya', 'Oya Deniz', 'Ankara', 'crypto tr', 'On-chain tables, weekly. Tavsiye değildir.', 3, 'blue'],
  ['gwei_watch', 'Tariq Bello', 'Kano', 'crypto', 'Low gas, low drama.', 2],
  ['bonk_intern', 'Skye Marin', 'Manila', 'crypto music', 'Here for the dogs. Not financial advice, barely advice.', 3],
  ['hodl_hedda', 'Hedda Nygaard', 'Stavanger', 'crypto sailing', 'Steel plates and steel hulls.', 2],
  ['margin_note', 'Theo Lund', 'Aarhus', 'books coffee', 'Writes in margins. Sorry, library.', 2],
  ['quiet_shelf', 'Amara Diallo', 'Bamako', 'books', 'Librarian. Whispering since 2009.', 3, 'verified'],
  ['kitap_kurdu', 'Selin Aksoy', 'Bursa', 'tr books', 'Kitap, kahve, kedi.', 2],
  ['pustak_mitra', 'Anil Verma', 'भोपाल', 'hi books', 'किताबें, चाय और क्रिकेट।', 2],
  ['leise_seiten', 'Mara Engel', 'Tübingen', 'de books', 'Liest im Zug. Meist zu weit.', 1],
  ['reedbed', 'Finn Calder', 'Norwich', 'birds', 'Patch birder. Cold hands, warm flask.', 3],
  ['owl_hours', 'Lucía Prado', 'Cuenca', 'birds es', 'Búhos, nidos y paciencia.', 2],
  ['ring_and_go', 'Juhani Salo', 'Hanko', 'birds stars', 'Rings birds at a windy point.', 1],
  ['oil_and_wax', 'Greta Moss', 'Asheville', 'making garden', 'Hand tools, slow chairs.', 3],
  ['fixit_femi', 'Femi Ade', 'Cardiff', 'making cycling', 'Repair café regular. It was the fuse.', 2],
  ['eight_bit_bea', 'Bea Kowalski', 'Gdańsk', 'making code', 'Old computers, new capacitors.', 3],
  ['wok_hei_th', 'นภา ศรีสุข', 'เชียงใหม่', 'th cooking', 'กาแฟดอยและกับข้าวบ้านๆ', 2],
  ['run_bkk', 'ปกรณ์ แก้วใส', 'กรุงเทพฯ', 'th running', 'วิ่งเช้า กาแฟสาย', 1],
  ['chai_break', 'Meera Joshi', 'जयपुर', 'hi cooking', 'चाय के साथ सब कुछ।', 2],
  ['plume_lea', 'Léa Fontaine', 'Liège', 'fr books music', 'Chorale, romans, frites.', 2],
  ['han_river', 'Min Seo', '서울', 'ko running cycling', '한강을 달립니다.', 2],
  ['xiaoyu_cam', '陈小雨', '厦门', 'zh coffee', '相机、咖啡、海风。', 2],
];

export const people: Person[] = entries.map(([username, name, location, interests, bio, fame, badges]) => ({
  username,
  name,
  location,
  topics: interests.split(' ') as Person['topics'],
  bio,
  fame,
  verified: badges === 'verified' || badges === 'both',
  blue: badges === 'blue' || badges === 'both',
}));

const byUsername = new Map(people.map((person) => [person.username, person]));

/** A person of the sample. Throws an Error for an unknown username. */
export function personNamed(username: string): Person {
  const person = byUsername.get(username);
  if (person === undefined) throw new Error(`the sample has no person ${username}`);
  return person;
}
