/** The words of the mail and the page that prove a mailbox. */
export interface VerificationWords {
  /** The subject of the mail, the title of the page and its button. */
  confirm: string
  made: string
  within: string
  code: string
  otherwise: string
  /** `{email}` is the address of the account. */
  isYours: string
  confirmed: string
  mayClose: string
  gone: string
  ended: string
}

const en: VerificationWords = {
  confirm: 'Confirm your address',
  made: 'Somebody made an Earshot account with this address.',
  within: 'If it was you, confirm within 7 days:',
  code: 'The confirmation as a code, for programs:',
  otherwise: 'If it was not you, do nothing. The account cannot send anything.',
  isYours:
    'Confirm only if you made an Earshot account with the address {email}. Its workspace can then send messages.',
  confirmed: 'Your address is confirmed',
  mayClose: 'Your workspace can now send messages and invite people. You can close this page.',
  gone: 'This link does not work any more',
  ended: 'It is older than 7 days, or a newer mail replaced it. Sign in to get a new one.',
}

const ALL: Record<string, VerificationWords> = {
  en,
  de: {
    confirm: 'Adresse bestätigen',
    made: 'Jemand hat mit dieser Adresse ein Konto bei Earshot angelegt.',
    within: 'Wenn Sie das waren, bestätigen Sie innerhalb von 7 Tagen:',
    code: 'Die Bestätigung als Code, für Programme:',
    otherwise: 'Wenn Sie das nicht waren, tun Sie nichts. Das Konto kann nichts versenden.',
    isYours:
      'Bestätigen Sie nur, wenn Sie mit der Adresse {email} ein Konto bei Earshot angelegt haben. Sein Arbeitsbereich ' +
      'kann dann Nachrichten versenden.',
    confirmed: 'Ihre Adresse ist bestätigt',
    mayClose: 'Ihr Arbeitsbereich kann jetzt Nachrichten versenden und einladen. Sie können diese Seite schließen.',
    gone: 'Dieser Link funktioniert nicht mehr',
    ended:
      'Er ist älter als 7 Tage, oder eine neuere E-Mail ersetzt ihn. Melden Sie sich an, um einen neuen zu erhalten.',
  },
  fr: {
    confirm: 'Confirmer votre adresse',
    made: 'Quelqu’un a créé un compte Earshot avec cette adresse.',
    within: 'Si c’était vous, confirmez-la dans les 7 jours\u00a0:',
    code: 'La confirmation sous forme de code, pour les programmes\u00a0:',
    otherwise: 'Si ce n’était pas vous, ne faites rien. Ce compte ne peut rien envoyer.',
    isYours:
      'Confirmez seulement si vous avez créé un compte Earshot avec l’adresse {email}. Son espace de travail pourra ' +
      'alors envoyer des messages.',
    confirmed: 'Votre adresse est confirmée',
    mayClose: 'Votre espace de travail peut maintenant envoyer des messages et inviter. Vous pouvez fermer cette page.',
    gone: 'Ce lien ne fonctionne plus',
    ended:
      'Il date de plus de 7 jours, ou un e-mail plus récent l’a remplacé. Connectez-vous pour en recevoir un autre.',
  },
  es: {
    confirm: 'Confirme su dirección',
    made: 'Alguien ha creado una cuenta de Earshot con esta dirección.',
    within: 'Si ha sido usted, confírmela en el plazo de 7 días:',
    code: 'La confirmación como código, para programas:',
    otherwise: 'Si no ha sido usted, no haga nada. La cuenta no puede enviar nada.',
    isYours:
      'Confirme solo si ha creado una cuenta de Earshot con la dirección {email}. Su espacio de trabajo podrá entonces ' +
      'enviar mensajes.',
    confirmed: 'Su dirección está confirmada',
    mayClose: 'Su espacio de trabajo ya puede enviar mensajes e invitar. Puede cerrar esta página.',
    gone: 'Este enlace ya no funciona',
    ended: 'Tiene más de 7 días, o un correo más reciente lo ha sustituido. Inicie sesión para recibir uno nuevo.',
  },
  it: {
    confirm: 'Confermi il suo indirizzo',
    made: 'Qualcuno ha creato un account Earshot con questo indirizzo.',
    within: 'Se è stato lei, lo confermi entro 7 giorni:',
    code: 'La conferma come codice, per i programmi:',
    otherwise: 'Se non è stato lei, non faccia nulla. L’account non può inviare nulla.',
    isYours:
      'Confermi solo se ha creato un account Earshot con l’indirizzo {email}. Il suo spazio di lavoro potrà quindi ' +
      'inviare messaggi.',
    confirmed: 'Il suo indirizzo è confermato',
    mayClose: 'Il suo spazio di lavoro ora può inviare messaggi e invitare. Può chiudere questa pagina.',
    gone: 'Questo link non funziona più',
    ended: 'Ha più di 7 giorni, o un’e-mail più recente lo ha sostituito. Acceda per riceverne uno nuovo.',
  },
  nl: {
    confirm: 'Bevestig uw adres',
    made: 'Iemand heeft met dit adres een account bij Earshot gemaakt.',
    within: 'Was u dat, bevestig het dan binnen 7 dagen:',
    code: 'De bevestiging als code, voor programma’s:',
    otherwise: 'Was u dat niet, doe dan niets. Het account kan niets versturen.',
    isYours:
      'Bevestig alleen als u met het adres {email} een account bij Earshot hebt gemaakt. De werkruimte kan dan berichten ' +
      'versturen.',
    confirmed: 'Uw adres is bevestigd',
    mayClose: 'Uw werkruimte kan nu berichten versturen en mensen uitnodigen. U kunt deze pagina sluiten.',
    gone: 'Deze link werkt niet meer',
    ended: 'De link is ouder dan 7 dagen, of een nieuwere e-mail vervangt hem. Log in om een nieuwe te krijgen.',
  },
  pt: {
    confirm: 'Confirme o seu endereço',
    made: 'Alguém criou uma conta do Earshot com este endereço.',
    within: 'Se foi você, confirme em até 7 dias:',
    code: 'A confirmação como código, para programas:',
    otherwise: 'Se não foi você, não faça nada. A conta não pode enviar nada.',
    isYours:
      'Confirme somente se você criou uma conta do Earshot com o endereço {email}. O espaço de trabalho poderá então ' +
      'enviar mensagens.',
    confirmed: 'O seu endereço está confirmado',
    mayClose: 'O seu espaço de trabalho já pode enviar mensagens e convidar. Você pode fechar esta página.',
    gone: 'Este link não funciona mais',
    ended: 'Ele tem mais de 7 dias, ou um e-mail mais novo o substituiu. Entre na conta para receber outro.',
  },
  pl: {
    confirm: 'Potwierdź adres',
    made: 'Ktoś założył konto Earshot z tym adresem.',
    within: 'Jeśli to Państwo, proszę potwierdzić w ciągu 7 dni:',
    code: 'Potwierdzenie jako kod, dla programów:',
    otherwise: 'Jeśli nie, proszę nic nie robić. To konto nie może niczego wysyłać.',
    isYours:
      'Proszę potwierdzić tylko wtedy, gdy założyli Państwo konto Earshot z adresem {email}. Jego obszar roboczy będzie ' +
      'mógł wtedy wysyłać wiadomości.',
    confirmed: 'Adres jest potwierdzony',
    mayClose: 'Obszar roboczy może teraz wysyłać wiadomości i zapraszać. Można zamknąć tę stronę.',
    gone: 'Ten link już nie działa',
    ended: 'Minęło 7 dni albo zastąpiła go nowsza wiadomość. Proszę się zalogować, aby otrzymać nowy.',
  },
  ar: {
    confirm: 'تأكيد عنوانك',
    made: 'أنشأ شخص ما حسابًا في Earshot بهذا العنوان.',
    within: 'إذا كنت أنت، فيرجى التأكيد خلال 7 أيام:',
    code: 'التأكيد كرمز، للبرامج:',
    otherwise: 'إذا لم تكن أنت، فلا تفعل شيئًا. لا يستطيع الحساب إرسال أي شيء.',
    isYours: 'لا تؤكد إلا إذا أنشأت حسابًا في Earshot بالعنوان {email}. وعندها تستطيع مساحة عمله إرسال الرسائل.',
    confirmed: 'تم تأكيد عنوانك',
    mayClose: 'تستطيع مساحة عملك الآن إرسال الرسائل والدعوات. يمكنك إغلاق هذه الصفحة.',
    gone: 'هذا الرابط لم يعد يعمل',
    ended: 'مضت عليه أكثر من 7 أيام أو حلّت محله رسالة أحدث. سجّل الدخول للحصول على رابط جديد.',
  },
}

/** The words in a language, and the language that they are in. English if we do not have it. */
export function verificationWords(accepted: string): { language: string; words: VerificationWords } {
  const language = accepted in ALL ? accepted : 'en'
  return { language, words: ALL[language] ?? en }
}

/** The mail with the link that proves a mailbox. It has no word that somebody else chose. */
export function verificationLetter(accepted: string, about: { url: string; token: string }) {
  const { language, words } = verificationWords(accepted)
  const { confirm, made, within, code, otherwise } = words
  return {
    language,
    subject: confirm,
    action: confirm,
    text: `${made}\n\n${within}\n\n${about.url}\n\n${code}\n${about.token}\n\n${otherwise}\n`,
  }
}
