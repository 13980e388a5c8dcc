/** News domains for `filter:news`: newspapers, agencies, broadcasters and magazines that many tweets link to. */
export const newsDomains: ReadonlySet<string> = new Set(
  `abc.net.au abcnews.go.com abc.es aftenposten.no afp.com aljazeera.com aljazeera.net allafrica.com ansa.it apnews.com arstechnica.com
   asahi.com axios.com barrons.com bbc.com bbc.co.uk bild.de bloomberg.com bostonglobe.com businessinsider.com buzzfeednews.com
   cbc.ca cbsnews.com channelnewsasia.com chicagotribune.com chinadaily.com.cn chosun.com clarin.com cnbc.com cnet.com cnn.com
   coindesk.com cointelegraph.com corriere.it csmonitor.com dailymail.co.uk dailymaverick.co.za dawn.com decrypt.co derstandard.at
   dn.se donga.com dw.com economictimes.indiatimes.com economist.com elmundo.es elpais.com eluniversal.com.mx engadget.com euronews.com
   expressen.se faz.net folha.uol.com.br forbes.com fortune.com foxnews.com france24.com francetvinfo.fr ft.com g1.globo.com gazeta.ru
   globalnews.ca globo.com haaretz.com hani.co.kr hindustantimes.com huffpost.com independent.co.uk indianexpress.com indiatoday.in
   infobae.com interfax.ru irishtimes.com japantimes.co.jp jpost.com kommersant.ru kyivindependent.com lanacion.com.ar lastampa.it
   latimes.com lavanguardia.com lefigaro.fr lemonde.fr lesechos.fr leparisien.fr liberation.fr livemint.com mainichi.jp marketwatch.com
   meduza.io mirror.co.uk msn.com nationalgeographic.com nature.com nbcnews.com ndtv.com news.com.au news.sky.com news.yahoo.co.jp
   news.yahoo.com newscientist.com newsweek.com newyorker.com nhk.or.jp nikkei.com nos.nl npr.org nrc.nl nu.nl nydailynews.com nypost.com
   nytimes.com nzherald.co.nz nzz.ch orf.at politico.com politico.eu propublica.org pravda.com.ua qz.com repubblica.it reuters.com rfi.fr
   ria.ru rollingstone.com rt.com rte.ie rtve.es sankei.com scientificamerican.com scmp.com seattletimes.com semafor.com sfchronicle.com
   smh.com.au spiegel.de srf.ch standard.co.uk straitstimes.com stuff.co.nz sueddeutsche.de svt.se tagesschau.de techcrunch.com
   telegraph.co.uk tass.com theage.com.au theatlantic.com theblock.co theglobeandmail.com theguardian.com thehill.com thehindu.com
   theintercept.com thenextweb.com thestar.com thesun.co.uk thetimes.co.uk theverge.com theweek.com time.com timesofindia.indiatimes.com
   timesofisrael.com ukrinform.net upi.com usatoday.com vanityfair.com variety.com vg.no vice.com volkskrant.nl vox.com washingtonpost.com
   washingtontimes.com welt.de wired.com wsj.com xinhuanet.com yle.fi yna.co.kr yomiuri.co.jp zdf.de zdnet.com zeit.de`.split(
    /\s+/,
  ),
);
