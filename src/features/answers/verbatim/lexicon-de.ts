import type { Lexicon } from './lexicon.ts'

export const GERMAN: Lexicon = {
  words: {
    '4': 'hervorragend ausgezeichnet perfekt fantastisch phantastisch traumhaft makellos sensationell überragend vorbildlich herausragend',
    '3':
      'super toll großartig grossartig klasse spitze spitzenmäßig exzellent begeistert begeisternd wunderbar genial liebe lieben prima bestens beste besten ' +
      'topp top wunderschön sagenhaft grandios mega hammer erstklassig lecker köstlich traum liebling lieblings beeindruckt beeindruckend ' +
      'unschlagbar einwandfrei tadellos vorzüglich lobenswert reibungslos perle geil',
    '2':
      'gut gute guter gutes guten freundlich hilfsbereit nett höflich schnell flott zügig prompt zuverlässig empfehlen empfehlenswert empfehlung zufrieden ' +
      'zufriedenheit angenehm sauber einfach unkompliziert problemlos bequem komfortabel kompetent professionell fair günstig preiswert ' +
      'freuen freue freut gefreut freude danke dank dankbar bedanken schön pünktlich frisch hilfreich geholfen lob loben gefällt gefallen ' +
      'gerne gern glücklich modern übersichtlich verständlich intuitiv aufmerksam zuvorkommend herzlich liebevoll lohnt lohnenswert ' +
      'gelungen erfolgreich gelöst sympathisch ehrlich transparent großzügig kulant hochwertig stabil leicht praktisch ' +
      'spaß vertrauen vertrauenswürdig flexibel vorteil vorteilhaft verbessert stressfrei ruhig gemütlich bravo respekt wohl wohlgefühlt ' +
      'entspannt effizient reibungsloser zügige schick liebenswert hübsch erfreulich erfreut geduldig überzeugt überzeugend',
    '1': 'okay besser funktioniert klappt geklappt klar richtig korrekt sicher nützlich positiv interessant solide wie ordentlich passt ruckzuck verständnis hoffentlich ausreichend treu vielfältig auswahl',
    '-1':
      'langsam verspätet verspätung spät verzögerung warten gewartet wartezeit wartezeiten warteschleife teuer überteuert kompliziert umständlich ' +
      'verwirrend unübersichtlich schwierig schwer schade leider fehlt fehlte fehlen fehlende klein laut kalt alt veraltet eng unklar ' +
      'problem probleme fehler mangel mängel langweilig voll überfüllt unbequem mühsam nervt ungünstig verbesserungswürdig ' +
      'verbesserungsbedarf ausbaufähig nachteil nachteilig stau lästig dünn vergessen hakt hakelig ruckelt wackelig wackelt bedauerlich bedenken unpünktlich ' +
      'schleppend zäh nachbessern bürokratisch sperrig unflexibel unsicher zweifel fad lau',
    '-2':
      'schlecht schlechte schlechter schlechtes enttäuscht enttäuschend enttäuschung ärgerlich ärger geärgert ärgern nervig genervt frustrierend frustriert frust ' +
      'unzufrieden unfreundlich unhöflich dreckig schmutzig kaputt beschädigt falsch falsche abgestürzt abstürze absturz stürzt ignoriert verloren beschwerde beschweren ' +
      'unprofessionell unzuverlässig nutzlos sinnlos inkompetent ahnungslos verweigert gekündigt kündigen kündige verschwendung hasse mist chaos chaotisch ' +
      'gelogen lüge lügen belogen betrogen irreführend abgezockt defekt undicht stinkt stinken gestunken ungenießbar schlampig mangelhaft minderwertig wütend sauer ' +
      'unmöglich unsinn arrogant herablassend überfordert stress stressig unbrauchbar reklamation reklamieren mahnung zerkratzt zerbrochen gebrochen zerrissen ' +
      'verschimmelt matschig verdorben wertlos billig vertröstet abgewimmelt ungeduldig verärgert traurig unfähig unverständlich unbefriedigend gescheitert bereut bereue verspielt ' +
      'abgespeist zumutung hängt abgelehnt ausgefallen unvollständig dürftig blöd doof lieblos verbrannt zerstört peinlich unnötig',
    '-3':
      'schrecklich furchtbar katastrophe katastrophal grauenhaft grauenvoll miserabel unterirdisch ekelhaft ekelig eklig widerlich betrug betrüger abzocke schrott ' +
      'scheiße scheiss scheiß müll saftladen frechheit unverschämt unverschämtheit skandal albtraum alptraum horror lächerlich unzumutbar ' +
      'inakzeptabel unerträglich desaster entsetzt entsetzlich grottig grottenschlecht dreist hoffnungslos verarscht verarschung schlimm schlimmste schlimmsten finger unding armselig erbärmlich nie-wieder kotzt',
  },
  phrases: {
    '3': 'sehr gut;sehr zufrieden;voll und ganz zufrieden;rundum zufrieden;immer wieder gern;immer wieder gerne;nur zu empfehlen;sehr zu empfehlen;kann ich nur empfehlen;nichts zu meckern;nichts auszusetzen;gibt nichts zu meckern;nichts zu bemängeln;keine beanstandungen;nur weiterempfehlen;weiter so;alles bestens;alles super;alles top;besser geht es nicht;besser gehts nicht;geht nicht besser;nicht besser sein;fünf sterne;5 sterne;nie enttäuscht;noch nie enttäuscht;noch nie probleme;nie probleme;hut ab;daumen hoch;wie am schnürchen;ohne probleme;ohne problem;nichts zu beanstanden;vielen dank;herzlichen dank;tausend dank;1a',
    '2': 'nicht schlecht;gar nicht schlecht;kein problem;keine probleme;kein stress;alles gut;alles in ordnung;alles ok;alles okay;in ordnung;gerne wieder;gern wieder;komme wieder;kommen wieder;bestelle wieder;wieder bestellen;jederzeit wieder;wie versprochen;wie beschrieben;keine wartezeit;ohne wartezeit;ohne warten;nicht zu teuer;nicht teuer;passt alles;alles paletti;sofort geholfen;schnell geholfen;läuft rund;läuft super;deutlich besser;viel besser;weiterempfehlen;empfehle weiter;preis leistung stimmt;preis-leistung stimmt;preis leistungsverhältnis stimmt;kann man nicht meckern;kann nicht meckern;nicht zu meckern',
    '-1': 'könnte besser;könnte schneller;könnte freundlicher;könnte günstiger;könnte man;könnte etwas;luft nach oben;nicht optimal;nicht ideal;nicht so gut;nicht so toll;nicht ganz;hätte mir;hätte ich mir;würde mir wünschen;wünsche mir;wäre schön;wäre besser;sollte man;sollte besser;sollten besser;müsste;müsste man;zu lange;zu lang;zu teuer;zu klein;zu groß;zu spät;zu langsam;zu wenig;zu viel;zu viele;zu kurz;zu kompliziert;lässt zu wünschen übrig;zu wünschen übrig;mehr erwartet;nicht mehr so;früher war;war früher;mal so mal so;musste nachfragen;musste mehrmals;mehrfach nachfragen',
    '-2': 'nie wieder;nie mehr;nicht mehr;einmal und nie;funktioniert nicht;geht nicht;ging nicht;geht nichts;klappt nicht;klappte nicht;hat nicht geklappt;nicht zufrieden;nicht gut;nicht freundlich;nicht hilfreich;nicht zu empfehlen;nicht empfehlen;nicht weiterempfehlen;keine antwort;keine rückmeldung;keine reaktion;keine hilfe;keiner hilft;keiner antwortet;niemand;nicht erreichbar;kam nie;kam nicht;nie angekommen;nicht angekommen;nicht erhalten;nie erhalten;warte noch;warte immer noch;warte seit;immer noch nicht;noch immer nicht;keine ahnung;kein interesse;geld zurück;kein geld;keine lust;aufgelegt;reine zeitverschwendung;zeitverschwendung;rausgeschmissenes geld;geldverschwendung;nicht wert;nichts wert;finger weg;hände weg;lasst die finger;schon wieder;zum dritten mal;zum vierten mal;null sterne;0 sterne;1 stern;ein stern;wechsle zu;wechsele zu;wechsel den anbieter;vielen dank für nichts;danke für nichts;na toll;na super;kein wunder;von wegen;selbst schuld;hin und her;im stich gelassen;allein gelassen;alleine gelassen;gar nichts;funktioniert nix;geht nix;nichts funktioniert;nichts passiert;passiert nichts;tut sich nichts;interessiert keinen;interessiert niemanden;gefällt mir nicht;gefällt nicht',
    '0': 'guten tag;guten morgen;so weit so gut;wie erwartet;nichts besonderes;weder gut noch schlecht;kein kommentar;keine angabe;keine angaben;nichts hinzuzufügen;keine meinung;gute frage;mehr oder weniger;geht so;so lala;es geht;naja geht;ganz okay;ganz ok;ganz in ordnung;durchschnittlich;mittelmäßig;mittelmaß;durchschnitt;erfüllt seinen zweck;tut was es soll;macht was es soll;macht was er soll;nicht mehr und nicht weniger;nicht besser und nicht schlechter;nichts neues;einfach so;einfach nur;alte kundin;alter kunde;nicht nötig;in der regel;keine weiteren;sonst nichts',
  },
  negators:
    'nicht kein keine keinen keiner keinem keines nie niemals ohne nichts nix kaum weder wenig niemand nirgends nich ned keinerlei garnicht',
  negatesBackwards: true,
  stronger:
    'sehr wirklich so extrem absolut total völlig unglaublich super besonders echt mega richtig überaus äußerst höchst wahnsinnig sowas ganz komplett zutiefst viel',
  weaker: 'etwas ein bisschen eher recht ziemlich relativ halbwegs teilweise manchmal ganz einigermaßen ok okay',
  contrasts: 'aber jedoch allerdings obwohl leider nur trotzdem dafür dennoch',
  excess: 'zu',
  wishes: 'könnte könnten sollte sollten wünschte wünschen müsste',
  ironic:
    'super toll klasse wunderbar danke bravo großartig genial perfekt prima glückwunsch schön herzlichen gratuliere spitze top hervorragend',
}
