import { bestLanguage } from '../../platform/wishes.ts'
import type { Press, TitleName } from './things.ts'

interface Words {
  titles: Record<TitleName, string>
  signIn: string
  hint: string
  email: string
  password: string
  wrong: string
  busy: string
  again: string
  noWorkspace: string
  mayNot: string
  address: string
  missing: string
  failed: string
  signOut: string
  signedOut: string
  presses: Record<Press['label'], string>
  yes: string
  no: string
  /** Members of the API's answers. Those without a word are shown by their names. */
  names: Record<string, string>
}

const WORDS: Record<string, Words> = {
  en: {
    titles: {
      schedule: 'Export schedule',
      report: 'Report',
      notifications: 'Notifications',
    },
    signIn: 'Sign in',
    hint: 'Sign in to see this.',
    email: 'Email address',
    password: 'Password',
    wrong: 'The email address or the password is wrong.',
    busy: 'There were too many attempts. Wait a few minutes.',
    again: 'Your session has ended. Sign in again.',
    noWorkspace: 'This account is not a member of any workspace.',
    mayNot: 'Your role does not let you see this. Ask an owner of the workspace.',
    address: 'Your workspace does not accept sign-ins from this network. Ask an owner of the workspace.',
    missing: 'It does not exist any more, or it belongs to a workspace that you are not a member of.',
    failed: 'This did not work. Try again later.',
    signOut: 'Sign out',
    signedOut: 'You are signed out',
    presses: { download: 'Download', document: 'Open the document', enable: 'Turn on', disable: 'Turn off' },
    yes: 'yes',
    no: 'no',
    names: {
      name: 'Name',
      enabled: 'On',
      paused_reason: 'Paused because',
      timezone: 'Time zone',
      next_run_at: 'Next time',
      last_failed_at: 'Last failure',
      event: 'Event',
      attempts: 'Attempts',
      last_status_code: 'Last status',
      last_error: 'Last error',
      next_attempt_at: 'Next attempt',
      delivered_at: 'Delivered',
    },
  },
  de: {
    titles: {
      schedule: 'Zeitplan eines Exports',
      report: 'Bericht',
      notifications: 'Benachrichtigungen',
    },
    signIn: 'Anmelden',
    hint: 'Melden Sie sich an, um das zu sehen.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    busy: 'Es gab zu viele Versuche. Warten Sie ein paar Minuten.',
    again: 'Ihre Sitzung ist beendet. Melden Sie sich noch einmal an.',
    noWorkspace: 'Dieses Konto ist in keinem Workspace Mitglied.',
    mayNot: 'Mit Ihrer Rolle dürfen Sie das nicht sehen. Fragen Sie einen Inhaber des Workspace.',
    address: 'Ihr Workspace nimmt aus diesem Netz keine Anmeldung an. Fragen Sie einen Inhaber des Workspace.',
    missing: 'Das gibt es nicht mehr, oder es gehört zu einem Workspace, in dem Sie nicht Mitglied sind.',
    failed: 'Das ging nicht. Versuchen Sie es später noch einmal.',
    signOut: 'Abmelden',
    signedOut: 'Sie sind abgemeldet',
    presses: { download: 'Herunterladen', document: 'Dokument öffnen', enable: 'Einschalten', disable: 'Ausschalten' },
    yes: 'ja',
    no: 'nein',
    names: {
      name: 'Name',
      enabled: 'Eingeschaltet',
      paused_reason: 'Pausiert, weil',
      timezone: 'Zeitzone',
      next_run_at: 'Nächstes Mal',
      last_failed_at: 'Letzter Fehler',
      event: 'Ereignis',
      attempts: 'Versuche',
      last_status_code: 'Letzter Status',
      last_error: 'Letzter Fehler',
      next_attempt_at: 'Nächster Versuch',
      delivered_at: 'Zugestellt',
    },
  },
  es: {
    titles: {
      schedule: 'Programación de exportación',
      report: 'Informe',
      notifications: 'Notificaciones',
    },
    signIn: 'Iniciar sesión',
    hint: 'Inicie sesión para verlo.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    wrong: 'El correo electrónico o la contraseña no es correcto.',
    busy: 'Hubo demasiados intentos. Espere unos minutos.',
    again: 'Su sesión terminó. Inicie sesión de nuevo.',
    noWorkspace: 'Esta cuenta no es miembro de ningún espacio de trabajo.',
    mayNot: 'Su rol no le permite ver esto. Pregunte a un propietario del espacio de trabajo.',
    address: 'Su espacio de trabajo no acepta sesiones desde esta red. Pregunte a un propietario.',
    missing: 'Ya no existe, o pertenece a un espacio de trabajo del que usted no es miembro.',
    failed: 'No funcionó. Inténtelo más tarde.',
    signOut: 'Cerrar sesión',
    signedOut: 'La sesión está cerrada',
    presses: { download: 'Descargar', document: 'Abrir el documento', enable: 'Activar', disable: 'Desactivar' },
    yes: 'sí',
    no: 'no',
    names: {
      name: 'Nombre',
      enabled: 'Activado',
      paused_reason: 'En pausa porque',
      timezone: 'Zona horaria',
      next_run_at: 'Próxima vez',
      last_failed_at: 'Último fallo',
      event: 'Evento',
      attempts: 'Intentos',
      last_status_code: 'Último estado',
      last_error: 'Último error',
      next_attempt_at: 'Próximo intento',
      delivered_at: 'Entregado',
    },
  },
  ar: {
    titles: {
      schedule: 'جدول التصدير',
      report: 'تقرير',
      notifications: 'الإشعارات',
    },
    signIn: 'تسجيل الدخول',
    hint: 'سجّل الدخول لترى هذا.',
    email: 'البريد الإلكتروني',
    password: 'كلمة المرور',
    wrong: 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
    busy: 'محاولات كثيرة جدًا. يرجى الانتظار بضع دقائق.',
    again: 'انتهت جلستك. سجّل الدخول من جديد.',
    noWorkspace: 'هذا الحساب ليس عضوًا في أي مساحة عمل.',
    mayNot: 'دورك لا يسمح لك برؤية هذا. اسأل أحد مالكي مساحة العمل.',
    address: 'مساحة عملك لا تقبل تسجيل الدخول من هذه الشبكة. اسأل أحد مالكي مساحة العمل.',
    missing: 'لم يعد موجودًا، أو أنه في مساحة عمل لست عضوًا فيها.',
    failed: 'لم ينجح ذلك. حاول مرة أخرى لاحقًا.',
    signOut: 'تسجيل الخروج',
    signedOut: 'تم تسجيل الخروج',
    presses: { download: 'تنزيل', document: 'فتح المستند', enable: 'تشغيل', disable: 'إيقاف' },
    yes: 'نعم',
    no: 'لا',
    names: {
      name: 'الاسم',
      enabled: 'مُشغّل',
      paused_reason: 'متوقف لأن',
      timezone: 'المنطقة الزمنية',
      next_run_at: 'المرة القادمة',
      last_failed_at: 'آخر فشل',
      event: 'الحدث',
      attempts: 'المحاولات',
      last_status_code: 'آخر حالة',
      last_error: 'آخر خطأ',
      next_attempt_at: 'المحاولة القادمة',
      delivered_at: 'سُلّم',
    },
  },
}

/** The words of the best language that the reader wishes. English if none is known. */
export function appWords(wishes: string[]): { language: string; words: Words } {
  const language = bestLanguage(wishes, Object.keys(WORDS)) ?? 'en'
  return { language, words: WORDS[language] ?? (WORDS['en'] as Words) }
}

export type AppWords = Words
