/** Everyday posts in languages other than English. */
import type { Topic } from './topic.ts';

export const es: Topic = {
  lang: 'es', tags: ['café', 'montaña', 'cocina', 'software'], visual: 0.3,
  words: { plan: ['una ruta por la sierra', 'una tortilla para ocho', 'la huerta de mi tía', 'el mercado del barrio'], cosa: ['paciencia', 'buen pan', 'otra taza de café', 'lluvia'] },
  posts: [
    'Domingo de {plan}. [Volvimos con barro hasta las rodillas.|No hace falta más.] #{tag}',
    'He tostado café en casa por {3-40}.ª vez y por fin huele a [chocolate|caramelo|pan recién hecho]. ☕',
    '¿Alguien recomienda [una novela corta|un teclado silencioso|una ruta fácil] para {2-5} días de vacaciones?',
    'Hoy el despliegue salió a la primera. [Sospechoso.|Invito yo.] Faltaba solo {cosa}. #{tag}',
    'El tren llegó {5-40} minutos tarde, así que terminé el libro. [Gracias, supongo.|Final buenísimo.]',
    'Mi abuela dice que el secreto es {cosa}. [Tiene razón siempre.|No discuto.]',
    'Partido de [barrio|solteros contra casados]: {1-5} a {1-5}. [Mañana no puedo andar.|Ganó la merienda.] ⚽',
    '{who} y yo montamos el telescopio en la azotea: Saturno, y toda la vecina familia haciendo cola. 🔭',
    '{8-19} kilómetros en bici hasta el trabajo, con viento de cara. Necesito {cosa}. #{tag}',
    '$BTC por aquí, $SOL por allá, y yo mirando {plan}. [Mejor así.|Prioridades.]',
  ],
  replies: ['¡qué envidia!', '[totalmente|muy] de acuerdo', '¿y la receta? 🙏', 'jajaja, me pasó lo mismo', 'la próxima vez avisa y voy', 'eso se arregla con {cosa}'],
};
export const de: Topic = {
  lang: 'de', tags: ['Garten', 'Radweg', 'Kaffee', 'Feierabend'], visual: 0.3,
  words: { sache: ['das alte Radio', 'der Apfelbaum', 'mein Lastenrad', 'der Sauerteig', 'das Gewächshaus'], grund: ['Geduld', 'ein lockeres Kabel', 'zu viel Regen', 'der Nachbar mit der Leiter'] },
  posts: [
    'Heute [repariert|gerettet]: {sache}. Ursache: {grund}. [Kosten: null Euro.|Zeit: ein halber Samstag.]',
    '{8-24} Kilometer mit dem Rad zur Arbeit, [nur Gegenwind|alle Ampeln grün|ein Reiher am Kanal]. #{tag}',
    'Kleine Freude: {sache} läuft wieder. [Ich auch, nach dem Kaffee.|Wer hätte das gedacht?]',
    'Wir haben {3-9} Kilo [Zwetschgen|Quitten|Bohnen] geerntet. [Wer will Marmelade?|Der Keller ist voll.] #{tag}',
    'Frage an die Runde: Wie oft [düngt ihr Tomaten|sichert ihr eure Daten|wechselt ihr die Kette]?',
    'Der Zug steht seit {10-55} Minuten. [Immerhin mit Aussicht.|Das Buch ist fast fertig.] 🚆',
    'Im Schachklub {1-3} Partien verloren und trotzdem bester Laune. [Endspiele üben!|Es gab Kuchen.]',
    '{who} hat mir {sache} geliehen. Zurückgeben fällt schwer. #{tag}',
    'Sternklare Nacht, {2-6} Grad, Tee in der Kanne: Saturn mit Ringen auf dem Balkon. 🔭',
    'Sprichwort aus der Werkstatt: Es ist immer {grund}. [Immer.|Fast immer.]',
  ],
  replies: ['sehr schön!', 'bei uns war es {grund}', 'das kenne ich 😄', 'hast du eine Anleitung dazu?', 'viel Erfolg!', 'genau so machen wir es auch'],
};
export const fr: Topic = {
  lang: 'fr', tags: ['vélo', 'cuisine', 'lecture', 'jardin'], visual: 0.3,
  words: { chose: ['une tarte aux prunes', 'un vieux vélo', 'la soupe de ma voisine', 'un roman trop court'], lieu: ['au marché', 'sur les quais', 'dans le jardin', 'à la bibliothèque'] },
  posts: [
    'Ce matin {lieu} : {chose}, du soleil et [personne|un chat curieux]. #{tag}',
    'J’ai réparé {chose} en {2-6} heures. [Enfin, presque.|Ça tient !]',
    '{12-60} kilomètres à vélo sous la pluie. [Aucun regret.|Le thé est mérité.] 🚲',
    'Qui connaît une bonne recette pour {3-8} kilos de [courgettes|figues|mirabelles] ?',
    'Rencontré {who} {lieu}. On a parlé {2-4} heures de {chose}.',
    'Le train a {7-50} minutes de retard, mais la lumière est belle. #{tag}',
    'Premier feu de la saison, un livre, [la pluie dehors|le chat sur les genoux]. 🔥',
    'Notre chorale a chanté {lieu}. [Trois rappels !|Le chef a souri, c’est rare.] 🎶',
    'Leçon du jour : {chose} demande du temps, [moi aussi|et du beurre]. #{tag}',
  ],
  replies: ['magnifique !', 'et la recette ? 😋', 'tout à fait d’accord', 'on vient quand ?', 'ça donne envie', 'bravo, quel courage'],
};
export const pt: Topic = {
  lang: 'pt', tags: ['praia', 'futebol', 'programação', 'música'], visual: 0.3,
  words: { coisa: ['um violão emprestado', 'pão de queijo', 'um teste que falhava', 'a prancha velha', 'feijão no fogo'], hora: ['às seis da manhã', 'depois da chuva', 'no fim da tarde'] },
  posts: [
    'Saí para correr {hora}: {5-18} km e [o mar inteiro só para mim|um cachorro como treinador]. #{tag}',
    'O segredo de hoje foi {coisa}. [Funcionou!|Amanhã tento de novo.]',
    'Pelada {hora}: {1-6} a {1-6}. [O goleiro era eu, desculpem.|O joelho reclama.] ⚽',
    'Consertei {coisa} e ainda sobrou tempo para o café. ☕ #{tag}',
    'Alguém sabe de um bom curso de [violão|fotografia|banco de dados] para quem tem {2-5} horas por semana?',
    'Roda de samba com {who} {hora}. [Ninguém queria ir embora.|Voz? Perdi.] 🎶',
    'Minha mãe provou o bolo e disse: "[quase|agora sim]". Nota {6-10}.',
    'Deploy na sexta {hora}? [Coragem.|Aqui não.] Primeiro, {coisa}. #{tag}',
    '$ETH subiu, $BONK caiu, e eu continuo com {coisa}.',
  ],
  replies: ['que delícia!', 'kkkk igualzinho aqui', 'bora no domingo?', 'me passa a receita', 'lindo demais 💚', 'concordo muito'],
};
export const it: Topic = {
  lang: 'it', tags: ['cucina', 'vela', 'orto'], visual: 0.35,
  words: { cosa: ['il sugo della nonna', 'la barca a vela', 'l’orto dietro casa', 'una vecchia radio'] },
  posts: [
    'Domenica con {cosa}: {3-7} ore, [nessuna fretta|due amici e un cane]. #{tag}',
    'Oggi {cosa} mi ha insegnato la pazienza. [Di nuovo.|Per la {3-9}ª volta.]',
    'Vento da nord, {10-22} nodi, e {cosa} può aspettare. ⛵',
    'Raccolti {2-9} chili di [pomodori|fichi|zucchine]. [Chi ne vuole?|Conserve per tutti.] #{tag}',
    'Chi ha un consiglio per riparare {cosa}? Offro caffè. ☕',
    'Con {who} a guardare la Luna dal tetto, {9-15} gradi e cioccolata calda. 🌙',
    'Il treno delle {6-9} è in orario. [Segnatevi la data.|Non ci credo.]',
  ],
  replies: ['che meraviglia!', 'ricetta, per favore', 'verissimo', 'la prossima volta vengo anch’io', 'bravi!'],
};
export const ja: Topic = {
  lang: 'ja', tags: ['自家焙煎', '朝ラン', '天体写真', '読書'], visual: 0.35,
  words: { mono: ['エチオピアの豆', '古いカメラ', '庭のトマト', '小さな望遠鏡'], kimochi: ['最高でした', 'ちょっと失敗', '思ったより簡単だった', 'また明日もやる'] },
  posts: [
    '今朝は{mono}を試してみた。{kimochi}。 #{tag}',
    '{5-21}キロ走って、川沿いで[カワセミ|虹|友達]に会えた。{kimochi}。',
    '昨夜の土星、{80-220}倍でくっきり。[寒かったけど満足|手が凍るかと思った]。🔭',
    '週末に{mono}を直した。部品代は{100-900}円。{kimochi}。',
    '焙煎{10-90}回目。1ハゼは{7-9}分{10-55}秒。[香りが甘い|少し浅めにした]。☕ #{tag}',
    '図書館で借りた本が面白すぎて、電車を{1-3}駅乗り過ごした。',
    'テストが全部通った日は[アイス|ラーメン|早寝]。これがルール。',
    '{who} さんに教わった通りにやったら、{mono}がうまくいった！',
    '雨の日は{mono}と音楽。[静かでいい|猫も一緒]。 #{tag}',
  ],
  replies: ['いいですね！', 'すごい、どうやったんですか？', 'わかります😂', '今度教えてください', '写真きれい✨', '{kimochi}、うちも同じです'],
};
export const ko: Topic = {
  lang: 'ko', tags: ['홈로스팅', '자전거', '독서', '개발'], visual: 0.3,
  words: { il: ['한강에서 자전거', '김치 담그기', '집에서 커피 볶기', '밤하늘 사진 찍기'], mal: ['생각보다 쉬웠다', '정말 행복했다', '다음엔 더 잘할 수 있다', '조금 힘들었다'] },
  posts: [
    '오늘은 {il}. {mal}. #{tag}',
    '아침에 {5-20}km 달렸다. [바람이 시원했다|비가 왔지만 괜찮았다]. 🏃',
    '버그 하나 찾는 데 {2-9}시간. 고치는 데 [1분|한 줄]. {mal}. #{tag}',
    '주말 계획: {il}, 그리고 [낮잠|떡볶이|책 한 권].',
    '도서관에서 {2-6}권 빌렸다. [다 읽을 수 있을까?|이번엔 꼭 다 읽는다.] 📚',
    '{who} 님이랑 {il}. {mal}!',
    '원두 {100-500}g 볶았는데 [초콜릿|복숭아|견과류] 향이 난다. ☕',
    '할머니 레시피로 만든 국, {3-9}명이 먹고 [냄비가 비었다|한 그릇 더 달란다].',
  ],
  replies: ['우와 부러워요!', '저도 해보고 싶어요', 'ㅋㅋㅋ 공감합니다', '사진 더 올려 주세요 😍', '{mal}, 저도요', '어디예요?'],
};
export const ar: Topic = {
  lang: 'ar', tags: ['قهوة', 'كتب', 'برمجة', 'فلك'], visual: 0.3,
  words: { shay: ['فنجان قهوة', 'كتاب قديم', 'خبز طازج', 'سماء صافية'], waqt: ['هذا الصباح', 'بعد المطر', 'قبل الغروب'] },
  posts: [
    '{waqt} مع {shay} و[هدوء جميل|صديق عزيز]. #{tag}',
    'قرأت {30-120} صفحة {waqt}، و[النهاية مدهشة|لم أستطع التوقف].',
    'ركضت {5-15} كيلومترا {waqt}. [تعبت ولكن سعيد|الهواء كان رائعا]. 🏃',
    'وجدت الخطأ في البرنامج بعد {2-8} ساعات. [كان سطرا واحدا|الحل كان بسيطا]. #{tag}',
    'رأينا زحل بالتلسكوب {waqt}، و[الأطفال لم يصدقوا أعينهم|السماء كانت صافية]. 🔭',
    'وصفة جدتي تحتاج إلى [الصبر|الليمون|القليل من الكمون] و{shay}.',
    'ما رأيكم في $BTC هذا الأسبوع؟ أنا أكتفي بـ{shay}.',
    'زرت المكتبة مع {who} {waqt}، وعدنا بـ{3-9} كتب. 📚',
  ],
  replies: ['ما شاء الله، جميل جدا', 'أحسنت!', 'أين هذا المكان؟', 'أتفق معك تماما', 'شكرا على المشاركة 🌹'],
};
export const hi: Topic = {
  lang: 'hi', tags: ['चाय', 'क्रिकेट', 'किताबें', 'बागवानी'], visual: 0.3,
  words: { cheez: ['अदरक वाली चाय', 'नई किताब', 'छत का बगीचा', 'पुराना रेडियो'], samay: ['आज सुबह', 'बारिश के बाद', 'शाम को'] },
  posts: [
    '{samay} {cheez} और [थोड़ी शांति|पुराने दोस्त]। बस यही चाहिए। #{tag}',
    '{samay} {5-14} किलोमीटर दौड़ा। [पैर थक गए, मन खुश है|मज़ा आ गया]। 🏃',
    'माँ ने कहा, सब्ज़ी में [नमक कम है|स्वाद आ गया]। अंक: {6-10}/10।',
    'मोहल्ले का मैच: हम {3-9} विकेट से [जीते|हारे]। [अगले रविवार फिर|गेंद खो गई]। 🏏 #{tag}',
    '{cheez} ठीक करने में {2-6} घंटे लगे, पर [अब चल रहा है|सीखा बहुत]।',
    '{who} के साथ पुस्तकालय गया, {2-6} किताबें ले आया। 📚',
    'कोड में एक छोटी गलती, पूरा दिन गया। [चाय ने बचाया|कल नई शुरुआत]। #{tag}',
  ],
  replies: ['बहुत बढ़िया!', 'वाह, क्या बात है', 'मुझे भी सिखाइए', 'सच कहा 😄', 'बधाई हो! 🎉'],
};
export const tr: Topic = {
  lang: 'tr', tags: ['kahve', 'bisiklet', 'yazılım', 'bahçe'], visual: 0.3,
  words: { sey: ['taze çekilmiş kahve', 'eski bir plak', 'domates fideleri', 'sıcak simit'], zaman: ['bu sabah', 'yağmurdan sonra', 'akşamüstü'] },
  posts: [
    '{zaman} {sey} ve [deniz kokusu|biraz sessizlik]. Başka bir şey istemem. #{tag}',
    'Bisikletle {8-30} km, [rüzgar hep karşıdan|yokuşlar bitmedi]. Ödülüm: {sey}. 🚲',
    'Hatayı bulmak {2-9} saat, düzeltmek [bir satır|otuz saniye] sürdü. #{tag}',
    'Komşuyla takas: {2-5} kilo [incir|biber|erik] karşılığında {sey}.',
    '{who} ile {zaman} satranç oynadık, {1-4}-{1-4}. [Çay da içtik.|Rövanş haftaya.] ♟️',
    'Teleskopla Satürn’e baktık, [çocuklar çok sevindi|halkaları göründü]! 🔭',
    'Bugün {sey} üzerine {20-90} sayfa okudum. [Çok güzel bir kitap.|Merakım arttı.]',
    '$BTC konuşulan masada ben {sey} diyorum. [Huzur.|Afiyet olsun.]',
  ],
  replies: ['çok güzel olmuş', 'eline sağlık 🙏', 'katılıyorum', 'biz de bekleriz', 'tarifini alabilir miyim?'],
};
export const th: Topic = {
  lang: 'th', tags: ['กาแฟ', 'วิ่ง', 'ทำอาหาร'], visual: 0.35,
  words: { khong: ['กาแฟคั่วเอง', 'ต้มยำหม้อใหญ่', 'สวนหลังบ้าน', 'หนังสือเล่มใหม่'] },
  posts: [
    'เช้านี้กับ{khong} [อากาศดีมาก|ฝนตกเบาๆ] มีความสุขแล้ว #{tag}',
    'วิ่ง {5-15} กิโลริมแม่น้ำ [เหนื่อยแต่สนุก|เจอหมาน่ารักด้วย] 🏃',
    'ลองทำ{khong}ครั้งที่ {2-20} [อร่อยขึ้นเรื่อยๆ|คราวนี้สำเร็จ]',
    'วันหยุดไปทะเลกับ {who} แล้วคุยเรื่อง{khong}ทั้งวัน 🌊',
    'แก้บั๊กอยู่ {2-8} ชั่วโมง [ผิดแค่บรรทัดเดียว|สุดท้ายก็เจอ] #{tag}',
    'คืนนี้ฟ้าใส เห็นดาวเสาร์ชัดมาก [ตื่นเต้น|ลูกชอบใหญ่เลย] 🔭',
  ],
  replies: ['น่าสนใจมาก', 'อยากลองบ้าง', 'สุดยอด 👍', 'เห็นด้วยเลย', 'ขอสูตรหน่อยค่ะ'],
};
export const zh: Topic = {
  lang: 'zh', tags: ['咖啡', '跑步', '开源', '摄影'], visual: 0.3,
  words: { dongxi: ['手冲咖啡', '阳台上的番茄', '旧相机', '一碗热汤面'], gan: ['很满足', '比想象中难', '下次再试', '值得'] },
  posts: [
    '早起跑了{5-21}公里,[江边的风很舒服|遇到一只小狗]。{gan}。 #{tag}',
    '周末研究{dongxi},花了{2-6}个小时,{gan}。',
    '终于修好了那个问题,[只改了一行|原来是时区]。今天的奖励是{dongxi}。 #{tag}',
    '自己烘的豆子养了{5-14}天,[花香出来了|有点像红茶]。☕',
    '和 {who} 一起看星星,土星的光环清清楚楚。{gan}!🔭',
    '妈妈说我做的菜可以打{6-10}分,[进步了|盐放多了]。',
    '图书馆借了{2-6}本书,[希望这次能看完|先从最薄的开始]。📚',
    '大家都在聊 $BTC 和 $ETH,我只想要{dongxi}。',
  ],
  replies: ['太棒了!', '求教程', '哈哈哈同感', '照片真好看', '{gan},我也是', '下次叫上我'],
};
