import type { Chance } from './chance.ts'
import type { Language } from './texts.ts'

export interface DemoPerson {
  external_id: string
  email: string
  name: string
  language: Language
  timezone: string
  attributes: { plan: string; country: string; lifetime_value: number }
}

export interface DemoAgent {
  external_id: string
  name: string
  team: string
  email: string
  /** How much better than the others, in steps of a score. */
  skill: number
}

const GIVEN: Record<Language, readonly string[]> = {
  en: ['Olivia', 'Jack', 'Amelia', 'Noah', 'Grace', 'Harry', 'Chloe', 'Ethan', 'Ruby', 'Daniel', 'Priya', 'Kwame'],
  de: ['Anna', 'Jonas', 'Lena', 'Felix', 'Mia', 'Paul', 'Jürgen', 'Sabine', 'Emre', 'Katharina', 'Lukas', 'Heike'],
  es: ['Lucía', 'Mateo', 'Carmen', 'Hugo', 'Sofía', 'Pablo', 'Elena', 'Javier', 'Inés', 'Álvaro', 'Marta', 'Diego'],
}
const FAMILY: Record<Language, readonly string[]> = {
  en: ['Smith', 'Taylor', 'Okafor', 'Evans', 'Patel', 'Walker', 'Hughes', 'Clarke', 'Murphy', 'Reid'],
  de: ['Müller', 'Schneider', 'Yılmaz', 'Weber', 'Hoffmann', 'Krüger', 'Vogel', 'Jansen', 'Bauer', 'Schröder'],
  es: ['García', 'Martínez', 'López', 'Sánchez', 'Romero', 'Navarro', 'Ortega', 'Vidal', 'Iglesias', 'Castro'],
}
const PLACES: Record<Language, readonly [country: string, timezone: string]> = {
  en: ['GB', 'Europe/London'],
  de: ['DE', 'Europe/Berlin'],
  es: ['ES', 'Europe/Madrid'],
}

export function languageOf(chance: Chance): Language {
  const one = chance.next()
  return one < 0.5 ? 'en' : one < 0.82 ? 'de' : 'es'
}

export function makePeople(chance: Chance, count: number): DemoPerson[] {
  return Array.from({ length: count }, (_, n) => {
    const language = languageOf(chance)
    const [given, family] = [chance.pick(GIVEN[language]), chance.pick(FAMILY[language])]
    const [country, timezone] = PLACES[language]
    return {
      external_id: `cust-${10_000 + n}`,
      email: `${plain(given)}.${plain(family)}${n}@customers.example`,
      name: `${given} ${family}`,
      language,
      timezone,
      attributes: {
        plan: chance.pick(['free', 'free', 'plus', 'plus', 'pro']),
        country,
        lifetime_value: Math.round(20 + chance.next() ** 3 * 2_400),
      },
    }
  })
}

/** Four agents in each of three teams. */
export function makeAgents(): DemoAgent[] {
  const teams: Array<[string, string[]]> = [
    ['First line', ['Maya Lindqvist', 'Tom Achterberg', 'Renata Souza', 'Oskar Brandt']],
    ['Billing', ['Farah Haddad', 'Joe Whitaker', 'Lina Petrova', 'Samuel Adeyemi']],
    ['Technical', ['Ingrid Solheim', 'Rafael Ortiz', 'Hana Kimura', 'Callum Boyd']],
  ]
  const skills = [0.5, -0.1, 0.2, -0.5, 0.3, 0, -0.3, 0.1, 0.6, 0.2, -0.1, -0.6]
  return teams
    .flatMap(([team, names]) => names.map((name) => ({ team, name })))
    .map(({ team, name }, n) => ({
      external_id: `agent-${n + 1}`,
      name,
      team,
      email: `${plain(name)}@tidewater.example`,
      skill: skills[n] ?? 0,
    }))
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
    .replaceAll(' ', '.')
    .toLowerCase()
}
