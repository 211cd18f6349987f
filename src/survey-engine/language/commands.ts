import { wordsOf } from './reply-words.ts'

/**
 * Words of messages that are no answers, by language: opting out, thanks, reactions of phones, automatic replies. All
 * languages are read together, because nobody says in which one they opt out.
 */
export interface CommandWords {
  /** Each opts out by itself. */
  stop: string[]
  /** Whole messages that opt out. */
  stopPhrases: string[]
  /** Words of courtesy. They keep a STOP clear, and alone they ask for nothing. */
  polite: string[]
  /** Other words that keep a STOP clear, as in "stop texting me". */
  beside: string[]
  /** Words of thanks and goodbye, beside those of courtesy. */
  thanks: string[]
  /** Words around the quotation in a reaction, such as `Laughed at “…”`. The first list has the verbs. */
  reactions: [verbs: string[], others: string[]]
  /** How automatic replies begin. */
  automatic: string[]
}

const split = (text: string) => text.split(' ')

const en: CommandWords = {
  stop: split('stop stopall unsubscribe cancel end quit revoke optout remove unsub stopp'),
  stopPhrases: [
    'remove me from your list',
    'remove me from the list',
    'remove my number',
    'delete my number',
    'lose my number',
    'opt me out',
    'take me off',
    'take me off your list',
    'take me off the list',
    'take me off this list',
    'no more texts',
    'no more messages',
    'no more sms',
    'do not text',
    'do not text me',
    'do not text me again',
    'don t text me',
    'dont text me',
    'do not contact me',
    'don t contact me',
    'dont contact me',
    'do not message me',
    'don t message me',
    'dont message me',
    'stop contacting me',
    'leave me alone',
  ],
  polite: split('please pls plz now thanks thank you thx ty sorry again anymore ever'),
  beside: split(
    'all it this that these those texting text texts txt txts messaging message messages msg msgs sending sms contacting calling calls reply me us to from your my and at once already immediately',
  ),
  thanks: split(
    'ok okay k cool great good nice lovely perfect awesome wonderful super bye goodbye cheers so very much a lot many have day evening one too welcome no problem 👍 🙏 😊 😀 ❤ 👌 🙂 🎉 😁 🥰 😍 💕 🤗',
  ),
  reactions: [
    split('liked loved disliked laughed emphasized emphasised questioned reacted removed'),
    split('at to a an with from like heart dislike laugh exclamation question mark sticker reaction the'),
  ],
  automatic: [
    'automatic reply',
    'auto reply',
    'autoreply',
    'automated reply',
    'automatic response',
    'auto response',
    'automated response',
    'this is an automated',
    'this is an automatic',
    'i m driving with',
    'i m driving right now',
    'i am driving right now',
    'sorry i m driving',
    'i m not receiving notifications',
    'i m not available right now',
    'i am currently unavailable',
    'i m currently unavailable',
    'i m out of the office',
    'i am out of the office',
    'i am currently out of the office',
    'i m currently out of the office',
    'out of office',
    'sorry i can t talk right now',
    'i can t talk right now',
    'can t talk right now',
    'can i call you later',
  ],
}

const de: CommandWords = {
  stop: split('abmelden abmeldung abbestellen austragen ende stoppen widerrufen aufhoren aufhoeren loschen'),
  stopPhrases: [
    'keine sms mehr',
    'keine nachrichten mehr',
    'keine weiteren nachrichten',
    'nicht mehr schreiben',
    'lasst mich in ruhe',
    'lass mich in ruhe',
    'schreibt mir nicht mehr',
  ],
  polite: split('bitte danke sofort jetzt'),
  beside: split('mich alle die das den newsletter nachrichten damit umfrage umfragen von hier'),
  thanks: split(
    'dir ihnen euch sehr vielen herzlichen gerne gern tschuss ciao schonen tag noch abend super toll prima',
  ),
  reactions: [
    split(
      'gefallt gefiel missfallt liebt liebte lacht lachte gelacht betont betonte hervorgehoben hinterfragt hinterfragte fragt reagiert reagierte entfernt entfernte markiert',
    ),
    split('mir nicht hat uber mit auf ein eine einen einem von fur zu herz fragezeichen ausrufezeichen reaktion als'),
  ],
  automatic: [
    'automatische antwort',
    'automatische nachricht',
    'abwesenheitsnotiz',
    'ich fahre gerade',
    'ich bin gerade am steuer',
    'ich erhalte derzeit keine mitteilungen',
    'ich kann gerade nicht sprechen',
    'kann gerade nicht sprechen',
    'ich bin derzeit nicht im buro',
    'ich bin nicht im buro',
  ],
}

const fr: CommandWords = {
  stop: split(
    'arret arreter arretez arrete desabonner desabonnement desinscrire desinscription desabonnez annuler resilier supprimer retirer fin',
  ),
  stopPhrases: [
    'plus de sms',
    'plus de messages',
    'laissez moi tranquille',
    'ne plus recevoir',
    'ne m ecrivez plus',
    'desabonnez moi',
    'me desabonner',
    'me desinscrire',
  ],
  polite: split('merci svp stp s il vous te plait'),
  beside: split('moi me se les le tout de messages message tous maintenant'),
  thanks: split('beaucoup bien a bonne bon journee soiree vous aussi au revoir parfait super rien'),
  reactions: [
    split('aime adore ri souligne accentue insiste questionne interroge reagi retire supprime mis'),
    split('a n pas j de d du des sur avec en evidence un une le la au coeur est s reaction mention'),
  ],
  automatic: [
    'reponse automatique',
    'message automatique',
    'je conduis en ce moment',
    'je suis au volant',
    'je suis en train de conduire',
    'je ne recois pas de notifications',
    'je ne peux pas parler pour le moment',
    'desole je ne peux pas parler',
    'absence du bureau',
    'je suis absent du bureau',
  ],
}

const es: CommandWords = {
  stop: split('alto baja parar pare detener cancelar salir basta desuscribir desuscribirme anular eliminar'),
  stopPhrases: [
    'no mas mensajes',
    'no mas sms',
    'no me escriban',
    'no me escriban mas',
    'no me envien mensajes',
    'no me envien mas mensajes',
    'dejenme en paz',
    'darme de baja',
    'dar de baja',
    'darse de baja',
  ],
  polite: split('por favor gracias ya ahora'),
  beside: split('me los el la de mensajes mensaje todo todos quiero'),
  thanks: split('muchas muchisimas adios nada vale genial perfecto buen buenos dia dias igualmente'),
  reactions: [
    split(
      'gusto gusta encanto encanta rio reido enfatizo destaco remarco exclamo cuestiono pregunto reacciono quito elimino',
    ),
    split('le les me no se ha han de a con un una por en el la corazon reaccion signo'),
  ],
  automatic: [
    'respuesta automatica',
    'mensaje automatico',
    'estoy conduciendo',
    'estoy manejando',
    'no estoy recibiendo notificaciones',
    'no puedo hablar en este momento',
    'ahora no puedo hablar',
    'fuera de la oficina',
    'estoy fuera de la oficina',
  ],
}

const it: CommandWords = {
  stop: split(
    'ferma fermare fermate annulla annullare disiscrivi disiscrivimi disiscrizione cancellami cancellatemi disdici disdetta rimuovi rimuovimi rimuovere termina interrompi',
  ),
  stopPhrases: [
    'niente piu messaggi',
    'niente piu sms',
    'basta messaggi',
    'basta sms',
    'lasciatemi in pace',
    'non scrivetemi',
    'non scrivetemi piu',
    'non mandatemi messaggi',
  ],
  polite: split('per favore grazie subito adesso'),
  beside: split('i messaggi tutti tutto mi dalla lista'),
  thanks: split('mille tante molte a te voi lei ciao arrivederci perfetto ottimo buona giornata serata prego'),
  reactions: [
    split(
      'piace piaciuto adora adorato ama amato riso enfatizzato evidenziato sottolineato contestato dubitato reagito rimosso',
    ),
    split('ha mi non messo a al di con in un una su per per dato enfasi dubbio cuore reazione che'),
  ],
  automatic: [
    'risposta automatica',
    'messaggio automatico',
    'sto guidando',
    'sono alla guida',
    'non ricevo notifiche',
    'non posso parlare in questo momento',
    'ora non posso parlare',
    'fuori sede',
    'sono fuori ufficio',
  ],
}

const nl: CommandWords = {
  stop: split('afmelden afmelding uitschrijven stoppen opzeggen annuleren einde verwijderen verwijder'),
  stopPhrases: [
    'geen berichten meer',
    'geen sms meer',
    'laat me met rust',
    'laat mij met rust',
    'niet meer sturen',
    'schrijf me uit',
    'meld me af',
  ],
  polite: split('alsjeblieft alstublieft aub svp bedankt dank dankje u je nu'),
  beside: split('mij me berichten bericht met van alle alles'),
  thanks: split('wel hartelijk veel graag gedaan dag doei fijne avond goed prima top jullie ook'),
  reactions: [
    split(
      'vond vindt gevonden hield lachte gelachen benadrukte benadrukt twijfelde betwijfelde reageerde gereageerd verwijderde verwijderd',
    ),
    split('leuk niet geweldig van om aan met op een het hartje hart vraagteken uitroepteken reactie'),
  ],
  automatic: [
    'automatisch antwoord',
    'automatische reactie',
    'automatisch bericht',
    'ik ben aan het rijden',
    'ik rijd nu',
    'ik zit achter het stuur',
    'ik ontvang geen meldingen',
    'ik kan nu niet praten',
    'ik ben niet op kantoor',
    'ik ben afwezig',
  ],
}

const pt: CommandWords = {
  stop: split('parar pare sair cancelar cancela descadastrar descadastre desinscrever remover cancelamento'),
  stopPhrases: [
    'nao quero mais receber',
    'nao quero mais mensagens',
    'nao me mande mais mensagens',
    'nao me envie mais mensagens',
    'chega de mensagens',
    'me deixe em paz',
    'me deixem em paz',
    'me tire da lista',
  ],
  polite: split('por favor obrigado obrigada agora ja'),
  beside: split('me as os de mensagens mensagem tudo todas lista da quero'),
  thanks: split('muito muita valeu tchau bom boa dia tarde noite nada otimo perfeito igualmente'),
  reactions: [
    split('gostou curtiu amou adorou riu achou enfatizou destacou questionou duvidou reagiu removeu'),
    split('nao de do da a com um uma em por graca coracao reacao'),
  ],
  automatic: [
    'resposta automatica',
    'mensagem automatica',
    'estou dirigindo',
    'estou a conduzir',
    'estou conduzindo',
    'nao estou recebendo notificacoes',
    'nao estou a receber notificacoes',
    'nao posso falar agora',
    'estou fora do escritorio',
    'fora do escritorio',
  ],
}

const pl: CommandWords = {
  stop: split(
    'wypisz wypisac wypiszcie wypisuje anuluj rezygnuje rezygnacja koniec usun usuncie zatrzymaj zakoncz przestancie przestan odpisz',
  ),
  stopPhrases: [
    'nie piszcie',
    'nie piszcie do mnie',
    'nie chce wiadomosci',
    'nie chce wiecej wiadomosci',
    'dajcie mi spokoj',
    'zadnych wiadomosci',
    'nie wysylajcie wiadomosci',
  ],
  polite: split('prosze dziekuje dzieki juz teraz'),
  beside: split('mnie wiadomosci wiadomosc z listy wszystkie wysylania pisac wysylac'),
  thanks: split('bardzo serdecznie pozdrawiam do widzenia czesc pa super swietnie milego dnia wieczoru nawzajem'),
  reactions: [
    split(
      'polubil polubila lubi pokochal pokochala kocha uwielbia smieje zasmial zasmiala podkresla podkreslil podkreslila zakwestionowal zakwestionowala pyta zareagowal zareagowala usunal usunela',
    ),
    split('nie sie z na do reakcje reakcja serce'),
  ],
  automatic: [
    'automatyczna odpowiedz',
    'odpowiedz automatyczna',
    'wiadomosc automatyczna',
    'autoodpowiedz',
    'prowadze samochod',
    'jestem za kierownica',
    'nie otrzymuje powiadomien',
    'nie moge teraz rozmawiac',
    'jestem poza biurem',
    'przebywam na urlopie',
  ],
}

const ar: CommandWords = {
  stop: split('ايقاف اوقف اوقفوا توقف توقفوا الغاء الغ قف وقف انهاء ازالة احذفوني احذفني'),
  stopPhrases: ['الغاء الاشتراك', 'لا ترسلوا', 'لا ترسلوا رسائل', 'لا تراسلوني', 'لا تراسلني', 'اتركوني'],
  polite: split('من فضلك فضلكم لو سمحت سمحتم شكرا الان'),
  beside: split('الرسائل رسائل ارسال عن لي هذه كل الاشتراك اشتراكي'),
  thanks: split('جزيلا لكم لك كثيرا مع السلامة عفوا ممتاز'),
  reactions: [
    split('اعجبه اعجبها اعجبني اعجب احب احبت ضحك ضحكت اكد اكدت شدد تساءل تساءلت تفاعل تفاعلت ازال ازالت'),
    split('لم يعجبه يعجبها ب على عن مع من قلب رد'),
  ],
  automatic: [
    'رد تلقائي',
    'رسالة تلقائية',
    'انا اقود',
    'اقود السيارة',
    'لا يمكنني التحدث الان',
    'خارج المكتب',
    'انا خارج المكتب',
  ],
}

const LANGUAGES = [en, de, fr, es, it, nl, pt, pl, ar]

const all = (pick: (words: CommandWords) => string[]) =>
  new Set(LANGUAGES.flatMap(pick).map((words) => wordsOf(words).join(' ')))

/** The words of all languages together. */
export const COMMAND_WORDS = {
  stop: all(({ stop }) => stop),
  stopPhrases: all(({ stopPhrases }) => stopPhrases),
  polite: all(({ polite }) => polite),
  beside: all(({ beside, polite }) => [...beside, ...polite]),
  courtesies: all(({ thanks, polite }) => [...thanks, ...polite]),
  reactionVerbs: all(({ reactions: [verbs] }) => verbs),
  reactionWords: all(({ reactions: [verbs, others] }) => [...verbs, ...others]),
  automatic: all(({ automatic }) => automatic),
}
