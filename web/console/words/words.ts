import i18next from 'i18next'
import { useSyncExternalStore } from 'react'

/** The languages of the console, each named in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

type Texts = Record<string, string>
/** Loads the texts of one language. */
export type Loaders = Record<Language, () => Promise<{ default: Texts }>>
type Values = Record<string, string | number>
/** Finds a text by its key, such as `webhooks:empty.title`. `count` chooses between the plural forms of a text. */
export type Words = (key: string, values?: Values) => string

const KEY = 'earshot.language'
const loaders = new Map<string, Loaders>()

/** Starts with the language of this device, or the first one of the browser that the console has. */
export async function startWords(): Promise<void> {
  await i18next.init({
    lng: languageOfDevice(),
    fallbackLng: 'en',
    keySeparator: false,
    resources: {},
    interpolation: { escapeValue: false },
  })
  show(i18next.language)
}

/** Adds the texts of a screen in the present language, and in any language that is chosen later. */
export async function loadWords(name: string, texts: Loaders): Promise<void> {
  loaders.set(name, texts)
  await add(name, i18next.language as Language)
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language)
  await Promise.all([...loaders.keys()].map((name) => add(name, language)))
  await i18next.changeLanguage(language)
  show(language)
}

/** The texts of the present language. A component that calls this is drawn again when the language changes. */
export function useWords(): Words {
  useSyncExternalStore(onLanguage, presentLanguage)
  return (key, values) => i18next.t(key, { ...values, lng: presentLanguage() })
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, presentLanguage)
}

export function presentLanguage(): Language {
  return i18next.language as Language
}

async function add(name: string, language: Language): Promise<void> {
  const texts = loaders.get(name)
  if (!texts || i18next.hasResourceBundle(language, name)) return
  i18next.addResourceBundle(language, name, (await texts[language]()).default)
}

function onLanguage(listener: () => void): () => void {
  i18next.on('languageChanged', listener)
  return () => i18next.off('languageChanged', listener)
}

function languageOfDevice(): Language {
  const wishes = [localStorage.getItem(KEY) ?? '', ...navigator.languages].map((wish) => wish.slice(0, 2).toLowerCase())
  return wishes.find((wish): wish is Language => Object.hasOwn(LANGUAGES, wish)) ?? 'en'
}

function show(language: string): void {
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
}
