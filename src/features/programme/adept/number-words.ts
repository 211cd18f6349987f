import { normalForm } from '../../../platform/text/normal-form.ts'

interface Parts {
  /** A word made of parts is a number if one of these is in it. */
  strong: string
  /** Parts that join or end a number and mean none alone. */
  weak: string
}

// In the form of `plain`: without accents, and ß as ss.
const PARTS: Record<string, Parts> = {
  en: {
    strong:
      'zero two three four five six seven eight nine ten eleven twelve thir fif eigh twen thirteen fifteen eighteen ' +
      'twenty thirty forty fourty twent thirt fort fift sixt sevent eight ninet fifty eighty third thirds fifth eighth ninth twelfth hundred thousand million billion ' +
      'trillion dozen percent half halves quarter quarters twice thrice',
    weak: 'teen ty th ths ieth ieths tieth tieths s and fold',
  },
  de: {
    strong:
      'null zwei zwo drei vier funf sech sechs sieb sieben acht neun zehn elf zwolf zwanzig dreissig hundert tausend ' +
      'million millionen milliarde milliarden billion billionen dutzend prozent halb halbe halben halfte halften drit ' +
      'dritt viertel',
    weak: 'ein eins eine und zig e en te ten ter tes tem ste sten ster stes stel steln tel teln fach mal',
  },
  fr: {
    strong:
      'zero deux trois quatre quatr cinq cinqu six sept huit neuf neuv dix onze onz douze douz treize treiz quatorze ' +
      'quatorz quinze quinz seize seiz vingt trente trent quarante quarant cinquante cinquant soixante soixant septante ' +
      'septant huitante huitant octante nonante nonant cent mille mill million billion milliard milliards millier milliers moitie ' +
      'demi demie tiers quart quarts pourcent',
    weak: 'ieme iemes aine aines s e et un',
  },
  es: {
    strong:
      'cero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieci veinte veinti treinta ' +
      'cuarenta cincuenta sesenta setenta ochenta noventa cien ciento cientos cientas doscientos doscientas quinientos ' +
      'quinientas setecientos setecientas novecientos novecientas seiscientos seiscientas mil millon millones millar ' +
      'millares billon billones docena docenas decena decenas centena centenas centenar centenares mitad mitades tercio ' +
      'tercios tercer cuart quint sext centesim milesim ' +
      'veintena treintena vigesim trigesim cuadragesim quincuagesim sexagesim septuagesim octogesim nonagesim decim septim octav noven',
    weak: 'un uno una y a o as os s avo avos',
  },
  it: {
    strong:
      'zero due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici ' +
      'diciassette diciotto diciannove venti vent trenta trent quaranta quarant cinquanta cinquant sessanta sessant ' +
      'settanta settant ottanta ottant ott sett nov cinqu quattr du undic dodic tredic quattordic quindic sedic diciassett diciott diciannov novanta novant cento cent mille mill mila milione milioni miliardo miliardi meta ' +
      'terzo terzi terza quarto quarti quarta quinto quinta sesto settimo ottavo nono decimo undicesimo decina decine ' +
      'dozzina dozzine ventina centinaio centinaia migliaio migliaia percento',
    weak: 'un uno una e se esimo esima esimi esime',
  },
  nl: {
    strong:
      'nul twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien twintig dertig veertig tachtig ' +
      'zestig zeventig negentig vijftig honderd duizend miljoen miljoenen miljard miljarden biljoen dozijn procent helft ' +
      'halve derde kwart',
    weak: 'een en de den ste sten en tig en maal',
  },
  pt: {
    strong:
      'zero dois duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze catorze quinze dezesseis ' +
      'dezasseis dezessete dezassete dezoito dezenove dezanove vinte trinta quarenta cinquenta cinqenta sessenta setenta ' +
      'oitenta noventa cem cento centos centas duzentos duzentas trezentos trezentas quatrocentos quatrocentas quinhentos ' +
      'quinhentas seiscentos seiscentas setecentos setecentas oitocentos oitocentas novecentos novecentas mil milhao ' +
      'milhoes milhar milhares bilhao bilhoes biliao bilioes dezena dezenas duzia duzias centena centenas metade metades ' +
      'terco tercos terceiro quarto quartos quinto sexto setim oitav non decim centesim milesim vigesim trigesim quadragesim quinquagesim sexagesim septuagesim octogesim nonagesim',
    weak: 'e um uma o a os as',
  },
  pl: {
    strong:
      'zero dwa dwie dwoch dwom dwoma dwaj dwu dwoje dwoj troje troj czworo trzy trzech trzem trzema trzej cztery czterech ' +
      'czterem czterema czterej czter piec pieciu piecioma piet szesc szesciu szes siedem siedmiu siedmioma osiem osmiu ' +
      'osmioma dziewiec dziewieciu dziewiet dziesiec dziesieciu jedenascie jedenastu nascie nastu dziescia dziestu ' +
      'dziesci dziesiat sto stu dwiescie dwustu tysiac tysiace tysiecy tysiacom tysiacami milion miliony milionow ' +
      'miliard miliardy miliardow bilion biliony bilionow polowa polowe polowy polowie pol cwierc procent procenta tuzin ' +
      'tuziny tuzinow dziesiatki dziesiatek setki setek setka trzeci trzecia czwarty czwarta piaty piata szosty siodmy ' +
      'osmy dziewiaty dziesiaty jedenasty setny tysieczny',
    weak: 'set sta scie krotnie nasty nasta dziesty dziesta dziesiaty oro ka ki',
  },
  // Without accents, مئة is مية.
  ar: {
    strong:
      'صفر اثنان اثنين اثنا اثني اثنتان اثنتين اثنتا اثنتي ثلاث اربع خمس ست سبع ثمان ثماني تسع عشر مية ماية ميتان ميتين ' +
      'ميتا ميتي مايتان مايتين مايتا مايتي ميات الف الاف مليون ملايين مليار مليارات بليون تريليون نصف ثلث ثلثان ثلثي ثلثا ' +
      'ربع ارباع ثالث رابع خامس سادس سابع ثامن تاسع عاشر',
    weak: 'و ال ب ل لل ة ت ون ين ان ا ي',
  },
}

/** Words of a language that are numbers only in another one. */
const EVERYDAY: Record<string, string[]> = {
  en: ['once', 'due', 'dos', 'elf', 'vent', 'vents', 'mill', 'mills', 'tiers', 'meta', 'seize', 'trent'],
  de: ['sei', 'meta'],
  fr: ['dos', 'vent', 'nul', 'nuls', 'meta'],
  es: ['meta'],
  it: ['sto'],
  pt: ['dos', 'sei', 'meta'],
  pl: ['ten', 'meta', 'elf'],
}

/** Frequent words that tell the languages apart in which such a word means different things. */
const MARKS: Record<string, string[]> = {
  en: ['the', 'to', 'and', 'is', 'are', 'was', 'were', 'of', 'for', 'with', 'it', 'this', 'that', 'they', 'not'],
  de: ['der', 'die', 'das', 'und', 'ist', 'sind', 'nicht', 'mit', 'von', 'zu', 'dass', 'ein', 'eine'],
  fr: ['le', 'les', 'des', 'est', 'et', 'du', 'une', 'pour', 'avec', 'dans', 'au', 'sont', 'pas'],
  es: ['el', 'los', 'las', 'y', 'una', 'con', 'del', 'la'],
  it: ['il', 'gli', 'che', 'di', 'sono', 'per', 'della', 'non'],
  nl: ['de', 'het', 'een', 'van', 'zijn', 'niet', 'met', 'dat'],
  pt: ['os', 'do', 'da', 'das', 'ao', 'aos', 'em', 'com', 'nao', 'uma', 'um', 'na', 'pelo', 'pela'],
  pl: ['nie', 'jest', 'sa', 'na', 'z', 'ze', 'w', 'byl', 'byla', 'od', 'po', 'do'],
}

const LANGUAGES = Object.entries(PARTS).map(([language, { strong, weak }]) => {
  const parts = new Map<string, boolean>()
  for (const part of weak.split(' ')) parts.set(part, false)
  for (const part of strong.split(' ')) parts.set(part, true)
  return { language, parts, longest: Math.max(...[...parts.keys()].map(({ length }) => length)) }
})
const LONGEST_WORD = 200

/**
 * Whether a sentence has an amount: a digit, a sign for a share, or a number in words of any of our languages, whatever
 * the language of the sentence. "One" and its like do not count.
 */
export function hasAmount(sentence: string): boolean {
  if (/[\p{N}%‰]/u.test(sentence)) return true
  const words = plain(sentence).match(/\p{L}+/gu) ?? []
  const isIn = (language: string) => words.some((word) => MARKS[language]?.includes(word))
  return words.some((word) => {
    if (word.length > LONGEST_WORD) return true
    const numberIn = LANGUAGES.filter(({ parts, longest }) => isMadeOf(word, parts, longest))
    if (numberIn.length === 0) return false
    const isEveryday = Object.keys(EVERYDAY).some((language) => EVERYDAY[language]?.includes(word) && isIn(language))
    return !isEveryday || numberIn.some(({ language }) => isIn(language))
  })
}

/** Whether parts in a row make the word, a strong one among them. */
function isMadeOf(word: string, parts: ReadonlyMap<string, boolean>, longest: number): boolean {
  // By the length of the beginning that parts make: whether a strong one may be among them.
  const made: Array<boolean | undefined> = [false]
  for (let at = 0; at < word.length; at++) {
    const before = made[at]
    if (before === undefined) continue
    for (let end = at + 1; end <= Math.min(word.length, at + longest); end++) {
      const strong = parts.get(word.slice(at, end))
      if (strong !== undefined) made[end] = made[end] || before || strong
    }
  }
  return made[word.length] ?? false
}

function plain(text: string): string {
  const bare = normalForm(text, 'NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, '')
  return bare.toLowerCase().replaceAll('ß', 'ss').replaceAll('ł', 'l')
}
