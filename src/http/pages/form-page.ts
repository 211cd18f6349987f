import type { AppContext } from '../context.ts'
import { Problem } from '../problems/problem.ts'
import { html } from 'hono/html'
import { noticePage, type Notice } from './notice-page.ts'

/** True if the caller gets a page, because it does not ask for JSON. */
export function wantsPage(c: AppContext): boolean {
  return !/\bjson\b/i.test(c.req.header('accept') ?? '')
}

/** The status of a problem that the person can correct in the form. Null for another one. */
export function correctable(error: unknown): number | null {
  return error instanceof Problem && [400, 401, 429].includes(error.status) ? error.status : null
}

/** The answer of `work`, or this page where a link leads nowhere any more and a person follows it. */
export async function orGone(
  c: AppContext,
  pageOf: (c: AppContext) => Notice,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404 || !wantsPage(c)) throw error
    return noticePage(c, { ...pageOf(c), status: 404 })
  }
}

const KEEP: Record<string, string> = {
  en: 'Workspaces were made with your address before you confirmed it. Tick those that you made. You lose access to the others.',
  de: 'Mit Ihrer Adresse wurden Arbeitsbereiche angelegt, bevor Sie sie bestätigt haben. Haken Sie die an, die Sie angelegt haben. Zu den anderen verlieren Sie den Zugang.',
  fr: 'Des espaces de travail ont été créés avec votre adresse avant que vous la confirmiez. Cochez ceux que vous avez créés. Vous perdez l’accès aux autres.',
  es: 'Con su dirección se crearon espacios de trabajo antes de que usted la confirmara. Marque los que ha creado usted. Perderá el acceso a los demás.',
  it: 'Con il suo indirizzo sono stati creati spazi di lavoro prima che lei lo confermasse. Selezioni quelli creati da lei. Perderà l’accesso agli altri.',
  nl: 'Met uw adres zijn werkruimten gemaakt voordat u het bevestigde. Vink aan welke u hebt gemaakt. U verliest de toegang tot de andere.',
  pt: 'Com o seu endereço foram criados espaços de trabalho antes da sua confirmação. Marque os que você criou. Você perde o acesso aos outros.',
  pl: 'Przed potwierdzeniem z Państwa adresem założono obszary robocze. Proszę zaznaczyć te, które Państwo założyli. Dostęp do pozostałych wygaśnie.',
  ar: 'أُنشئت مساحات عمل بعنوانك قبل أن تؤكده. حدد المساحات التي أنشأتها أنت. وستفقد الوصول إلى غيرها.',
}
const FIELD = 'keep_'

/**
 * Boxes for the workspaces that stay a person's when they prove their mailbox. Nothing if there are none to choose
 * from.
 */
export function renderWorkspaceChoice(language: string, workspaces: Array<{ id: string; name: string }>) {
  if (workspaces.length === 0) return ''
  const boxes = workspaces.map(
    ({ id, name }) => html`<label class="choice"><input type="checkbox" name="${FIELD}${id}">${name}</label>`,
  )
  return html`<fieldset><legend>${KEEP[language] ?? KEEP['en']}</legend>${boxes}</fieldset>`
}

/** The workspaces whose boxes were ticked. */
export function chosenWorkspaces(fields: Record<string, string>): string[] {
  return Object.keys(fields).flatMap((name) => (name.startsWith(FIELD) ? [name.slice(FIELD.length)] : []))
}
