import { CASE_URL } from '../alerts.schema.ts'

/** The ticket that a receiver hands back: `{"caseUrl": "https://…"}`. Null if the answer holds none. */
export function caseUrlIn(answer: string): string | null {
  if (!answer.includes('caseUrl')) return null
  try {
    const body = JSON.parse(answer) as unknown
    const url = typeof body === 'object' && body !== null && 'caseUrl' in body ? body.caseUrl : null
    const parsed = CASE_URL.safeParse(url)
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
