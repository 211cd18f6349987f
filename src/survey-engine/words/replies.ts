/** Words that people reply with, by language. Each language is read together with English. */
export interface ReplyWords {
  /** Numbers 0 to 10; several spellings each. */
  numbers: string[][]
  /** Articles that also mean one: they count only where no other number stands. */
  one: string[]
  outOf: string[]
  yes: string[]
  no: string[]
  skip: string[]
  other: string[]
  and: string[]
  /** Words that say nothing of their own, as in "I'd say 9". */
  fillers: string[]
  /** Words that give a reason, as in "9 because you were fast". */
  because: string[]
  /** Words that take a number back, as in "9, or not". */
  or: string[]
  /** Words that put another number in its place, as in "9, sorry, 8". */
  corrections: string[]
  stars: string[]
  /** Words that follow a number that is no score, as in "3 minutes". */
  units: string[]
  months: string[][]
  today: string[]
  yesterday: string[]
  at: string[]
  dot: string[]
}

const split = (text: string) => text.split(' ')
const spellings = (text: string) => split(text).map((word) => word.split('/'))

const en: ReplyWords = {
  numbers: spellings('zero one two three four five six seven eight nine ten'),
  one: [],
  outOf: ['out of', 'of', 'over'],
  yes: split('yes y yeah yep yup ok okay sure agree agreed accept true 👍'),
  no: split('no n nope nah not never disagree decline false don dont 👎'),
  skip: ['skip', 'skip it', 'skip this', 'pass', 'next', 'n a', 'na'],
  other: ['other', 'something else'],
  and: ['and', 'plus'],
  fillers: split(
    'i d would ll will give you it s is a an the id say says make that my our answer score scores rating rate number no option choice choose pick take maybe probably about around think guess definitely at least please thanks thank for to of would be solid strong points point stars star out so well um uh hmm hi hello just let me m',
  ),
  because: ['because', 'cause', 'cos', 'since'],
  or: ['or'],
  corrections: split('sorry wait actually rather instead mean meant'),
  stars: split('stars star'),
  units: split(
    'second seconds minute minutes min mins hour hours hr hrs day days week weeks month months year years time times people person persons euro euros dollar dollars pound pounds percent am pm oclock th st nd rd',
  ),
  months: spellings(
    'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct november/nov december/dec',
  ),
  today: ['today'],
  yesterday: ['yesterday'],
  at: ['at'],
  dot: ['dot', 'point'],
}

const de: ReplyWords = {
  numbers: spellings('null eins zwei/zwo drei vier funf/fuenf sechs sieben acht neun zehn'),
  one: split('ein eine einen einer'),
  outOf: ['von', 'aus'],
  yes: split('ja j jawohl jo einverstanden stimmt gerne'),
  no: split('nein n ne nee nicht niemals'),
  skip: ['uberspringen', 'ueberspringen', 'weiter', 'keine angabe'],
  other: ['anderes', 'etwas anderes', 'sonstiges', 'andere'],
  and: ['und'],
  fillers: split(
    'ich wurde wuerde sage sagen gebe geben nehme nehmen wahle das ist es eine ein einen der die den von meine antwort punkte punkt sterne stern note zahl nummer option wohl etwa ungefahr vielleicht bitte danke so also mal glatte volle',
  ),
  because: ['weil', 'denn', 'da'],
  or: ['oder'],
  corrections: split('sorry halt doch eher lieber stattdessen besser meine meinte quatsch'),
  stars: split('sterne stern sternen'),
  units: split(
    'sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate jahr jahre jahren mal personen leute euro prozent uhr',
  ),
  months: spellings(
    'januar/jan februar/feb marz/maerz april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez',
  ),
  today: ['heute'],
  yesterday: ['gestern'],
  at: ['at', 'ät', 'klammeraffe'],
  dot: ['punkt'],
}

const fr: ReplyWords = {
  numbers: spellings('zero un deux trois quatre cinq six sept huit neuf dix'),
  one: split('un une'),
  outOf: ['sur', 'de'],
  yes: split('oui o ouais ok accord accepte volontiers'),
  no: split('non n pas jamais refuse'),
  skip: ['passer', 'passe', 'suivant', 'suivante', 'ignorer'],
  other: ['autre', 'autre chose'],
  and: ['et'],
  fillers: split(
    'je j dirais dis donne donnerais mets mettrais c est un une le la les de d du sur ma mon note reponse choix option numero points point etoiles etoile peut etre environ plutot merci svp s il vous plait bien',
  ),
  because: ['car', 'parce', 'puisque'],
  or: ['ou'],
  corrections: split('pardon plutot enfin desole desolee voulais dire'),
  stars: split('etoiles etoile'),
  units: split(
    'seconde secondes minute minutes heure heures jour jours semaine semaines mois an ans annee annees fois personnes euro euros pourcent pourcents h',
  ),
  months: spellings(
    'janvier/janv fevrier/fevr mars avril/avr mai juin juillet/juil aout septembre/sept octobre/oct novembre/nov decembre/dec',
  ),
  today: ['aujourd hui'],
  yesterday: ['hier'],
  at: ['arobase', 'at', 'a'],
  dot: ['point'],
}

const es: ReplyWords = {
  numbers: spellings('cero uno dos tres cuatro cinco seis siete ocho nueve diez'),
  one: split('un una'),
  outOf: ['de', 'sobre'],
  yes: split('si s claro ok vale acuerdo acepto'),
  no: split('no n nunca'),
  skip: ['saltar', 'omitir', 'siguiente', 'paso', 'pasar'],
  other: ['otro', 'otra', 'otra cosa'],
  and: ['y', 'e'],
  fillers: split(
    'yo diria digo doy daria pongo le les es un una el la los de mi respuesta nota numero opcion puntos punto estrellas estrella quiza quizas como mas o menos por favor gracias pues bueno seria',
  ),
  because: ['porque', 'pues', 'ya'],
  or: ['o', 'u'],
  corrections: split('perdon mejor digo bueno quise decir'),
  stars: split('estrellas estrella'),
  units: split(
    'segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos vez veces personas euro euros dolares ciento',
  ),
  months: spellings(
    'enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/sep/sept octubre/oct noviembre/nov diciembre/dic',
  ),
  today: ['hoy'],
  yesterday: ['ayer'],
  at: ['arroba'],
  dot: ['punto'],
}

const it: ReplyWords = {
  numbers: spellings('zero uno due tre quattro cinque sei sette otto nove dieci'),
  one: split('un una'),
  outOf: ['su', 'di'],
  yes: split('si s certo certamente okay accetto volentieri'),
  no: split('no n mai rifiuto'),
  skip: ['salta', 'saltare', 'avanti', 'passo'],
  other: ['altro', 'altra', 'altra cosa', 'qualcos altro'],
  and: ['e', 'ed'],
  fillers: split(
    'io direi dico do darei metto e un una il la lo le di del mio mia voto risposta numero opzione scelta punti punto stelle stella forse circa piu o meno per favore grazie beh allora sarebbe',
  ),
  because: ['perche', 'poiche', 'siccome'],
  or: ['o', 'oppure'],
  corrections: split('scusa scusate anzi meglio volevo dire'),
  stars: split('stelle stella'),
  units: split(
    'secondo secondi minuto minuti ora ore giorno giorni settimana settimane mese mesi anno anni volta volte persone euro cento',
  ),
  months: spellings(
    'gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/set ottobre/ott novembre/nov dicembre/dic',
  ),
  today: ['oggi'],
  yesterday: ['ieri'],
  at: ['chiocciola'],
  dot: ['punto'],
}

const nl: ReplyWords = {
  numbers: spellings('nul een twee drie vier vijf zes zeven acht negen tien'),
  one: split('een'),
  outOf: ['van', 'uit'],
  yes: split('ja j jawel zeker akkoord oke graag'),
  no: split('nee n neen nooit'),
  skip: ['overslaan', 'sla over', 'volgende', 'verder'],
  other: ['anders', 'iets anders'],
  and: ['en'],
  fillers: split(
    'ik zou zeg zeggen geef geven neem nemen kies dat is het een de van mijn antwoord punten punt sterren ster cijfer nummer optie ongeveer misschien graag alstublieft dank bedankt u je dus nou wel',
  ),
  because: ['omdat', 'want'],
  or: ['of'],
  corrections: split('sorry wacht eigenlijk liever bedoel'),
  stars: split('sterren ster'),
  units: split(
    'seconde seconden minuut minuten uur uren dag dagen week weken maand maanden jaar jaren keer personen mensen euro procent',
  ),
  months: spellings(
    'januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sep oktober/okt november/nov december/dec',
  ),
  today: ['vandaag'],
  yesterday: ['gisteren'],
  at: ['apenstaartje', 'at'],
  dot: ['punt'],
}

const pt: ReplyWords = {
  numbers: spellings('zero um/uma dois/duas tres quatro cinco seis sete oito nove dez'),
  one: split('um uma'),
  outOf: ['de', 'em'],
  yes: split('sim s claro aceito concordo certo'),
  no: split('nao n nunca recuso'),
  skip: ['pular', 'saltar', 'proxima', 'seguinte', 'passar'],
  other: ['outro', 'outra', 'outra coisa'],
  and: ['e'],
  fillers: split(
    'eu diria digo dou daria coloco e um uma o a os as de da do minha meu resposta nota numero opcao pontos ponto estrelas estrela talvez cerca mais ou menos por favor obrigado obrigada bem seria',
  ),
  because: ['porque', 'pois'],
  or: ['ou'],
  corrections: split('desculpe desculpa melhor alias quis dizer'),
  stars: split('estrelas estrela'),
  units: split(
    'segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos vez vezes pessoas euro euros reais real cento',
  ),
  months: spellings(
    'janeiro/jan fevereiro/fev marco/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out novembro/nov dezembro/dez',
  ),
  today: ['hoje'],
  yesterday: ['ontem'],
  at: ['arroba'],
  dot: ['ponto'],
}

const pl: ReplyWords = {
  numbers: spellings('zero jeden/jedna/jedno dwa/dwie trzy cztery piec szesc siedem osiem dziewiec dziesiec'),
  one: [],
  outOf: ['na', 'z'],
  yes: split('tak t jasne pewnie zgadzam zgoda owszem'),
  no: split('nie n nigdy odmawiam'),
  skip: ['pomin', 'pomijam', 'dalej', 'nastepne'],
  other: ['inne', 'inny', 'inna', 'cos innego'],
  and: ['i', 'oraz'],
  fillers: split(
    'ja daje dam dalbym dalabym powiedzialbym powiedzialabym mowie to jest moja moj ocena odpowiedz punkty punktow punkt gwiazdki gwiazdek numer opcja okolo moze chyba prosze dziekuje no wiec bylo by',
  ),
  because: ['bo', 'poniewaz', 'gdyz'],
  or: ['albo', 'lub', 'czy'],
  corrections: split('przepraszam raczej znaczy chwila'),
  stars: split('gwiazdki gwiazdek gwiazdka'),
  units: split(
    'sekunda sekundy sekund minuta minuty minut godzina godziny godzin dzien dni tydzien tygodnie tygodni miesiac miesiace miesiecy rok lata lat raz razy osob osoby zloty zlote zlotych procent',
  ),
  months: spellings(
    'stycznia/styczen lutego/luty marca/marzec kwietnia/kwiecien maja/maj czerwca/czerwiec lipca/lipiec sierpnia/sierpien wrzesnia/wrzesien pazdziernika/pazdziernik listopada/listopad grudnia/grudzien',
  ),
  today: ['dzisiaj', 'dzis'],
  yesterday: ['wczoraj'],
  at: ['malpa'],
  dot: ['kropka'],
}

// In the plain form that replies are compared in: without vowel signs, and alef without hamza.
const ar: ReplyWords = {
  numbers: spellings(
    'صفر واحد/واحده/واحدة اثنان/اثنين/اتنين ثلاثة/ثلاث/تلاتة اربعة/اربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني/تمانية تسعة/تسع عشرة/عشر',
  ),
  one: [],
  outOf: ['من', 'على'],
  yes: split('نعم ايوه ايوة اجل موافق موافقة اكيد تمام'),
  no: split('لا كلا ابدا ارفض'),
  skip: ['تخطي', 'تخط', 'التالي', 'تجاوز'],
  other: ['غير ذلك', 'اخرى', 'اخر', 'شيء اخر'],
  and: ['و'],
  fillers: split(
    'انا اعطي اعطيكم ساعطي اقول اختار هو هي رقم درجة درجات نقطة نقاط نجوم نجمة تقريبا ربما من فضلك لو سمحت شكرا التقييم تقييمي اجابتي',
  ),
  because: ['لان', 'لانه', 'لانها', 'لانكم'],
  or: ['او', 'ام'],
  corrections: split('عفوا اسف بل اقصد'),
  stars: split('نجوم نجمة نجمات'),
  units: split(
    'ثانية ثواني دقيقة دقائق ساعة ساعات يوم ايام اسبوع اسابيع شهر اشهر سنة سنوات مرة مرات شخص اشخاص دينار دنانير درهم دراهم ريال جنيه دولار دولارات يورو بالمئة',
  ),
  months: spellings('يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر'),
  today: ['اليوم'],
  yesterday: ['امس'],
  at: ['ات'],
  dot: ['نقطة', 'دوت'],
}

export const REPLY_WORDS = { en, de, fr, es, it, nl, pt, pl, ar } as const satisfies Record<string, ReplyWords>
