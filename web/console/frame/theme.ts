export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'earshot.theme'
const system = matchMedia('(prefers-color-scheme: dark)')

export function presentTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  show()
}

export function startTheme(): void {
  show()
  system.addEventListener('change', show)
  addEventListener('storage', ({ key }) => {
    if (key === KEY) show()
  })
}

function show(): void {
  const theme = presentTheme()
  document.documentElement.dataset['theme'] = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme
}
