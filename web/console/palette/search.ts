import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../app/me.ts'
import { ENTRIES, placeOf, type Permission } from '../app/screens.ts'
import { recentVisits } from '../frame/screen.tsx'
import { signOut } from '../frame/account-menu.tsx'
import { chooseTheme } from '../frame/theme.ts'
import { chooseLanguage, LANGUAGES, useWords, type Language } from '../words/words.ts'
import { isWholeAddress, useThings, type Thing } from './search-results.ts'

export interface Command {
  id: string
  group: Thing['group'] | 'recent' | 'commands' | 'places'
  icon: string
  label: string
  kind?: string
  /** The keys that do the same. */
  keys?: string
  run: () => void
}

/** Commands that begin something new, for those who may. */
const NEW: Array<{ text: string; icon: string; href: string; needs: Permission }> = [
  { text: 'palette:commands.survey', icon: 'clipboard-list', href: '/app/surveys#new', needs: 'surveys.manage' },
  { text: 'palette:commands.invitation', icon: 'send', href: '/app/invitations/new', needs: 'dispatch.send' },
  { text: 'palette:commands.endpoint', icon: 'webhook', href: '/app/webhooks#new', needs: 'integrations.manage' },
  { text: 'palette:commands.export', icon: 'file-down', href: '/app/exports/new', needs: 'exports.manage' },
  { text: 'palette:commands.rule', icon: 'bell', href: '/app/alerts/rules/new', needs: 'alerts.manage' },
  { text: 'palette:commands.lead', icon: 'user-plus', href: '/app/leads#new', needs: 'leads.manage' },
  { text: 'palette:commands.person', icon: 'contact', href: '/app/people#new', needs: 'people.manage' },
  { text: 'palette:commands.import', icon: 'users', href: '/app/people/import', needs: 'people.manage' },
  { text: 'palette:commands.privacy', icon: 'shield', href: '/app/settings/privacy/new', needs: 'compliance.manage' },
]

/** Everything that fits the words, in the order of the groups. */
export function useCommands(query: string, onShortcuts: () => void): Command[] {
  const words = useWords()
  const navigate = useNavigate()
  const { permissions } = useMe()
  const wish = query.trim()
  const things = useThings(wish)
  const go = (href: string) => () => void navigate({ href })
  const place = placeOf(wish)
  const may = (needs: Permission | undefined) => needs === undefined || permissions.includes(needs)
  const command = (id: string, icon: string, label: string, run: () => void): Command => ({
    id,
    group: 'commands',
    icon,
    label,
    run,
  })
  const places = ENTRIES.filter(({ needs }) => may(needs)).map(({ path, name, icon, key }): Command => ({
    id: name,
    group: 'places',
    icon,
    label: words(`frame:screens.${name}`),
    keys: `G ${key.toUpperCase()}`,
    run: go(path),
  }))
  const commands = [
    ...NEW.filter(({ needs }) => may(needs)).map(({ text, icon, href }) => command(text, icon, words(text), go(href))),
    command('notifications', 'bell', words('palette:commands.notifications'), go('/app/notifications')),
    ...(may('members.manage')
      ? [command('invite', 'user-plus', words('frame:commands.invite'), go('/app/welcome?step=invite'))]
      : []),
    command('light', 'sun', words('palette:commands.light'), () => chooseTheme('light')),
    command('dark', 'moon', words('palette:commands.dark'), () => chooseTheme('dark')),
    ...Object.entries(LANGUAGES).map(([tag, label]) =>
      command(`language-${tag}`, 'message-circle', label, () => void chooseLanguage(tag as Language)),
    ),
    { ...command('keys', 'zap', words('frame:shortcuts.title'), onShortcuts), keys: '?' },
    command('out', 'log-out', words('frame:account.out'), () => void signOut()),
  ]
  const wanted = wish.toLocaleLowerCase()
  const known = [...places, ...commands].filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
  // The list has more people than these, and filters for a part of a name.
  const mayBeName =
    wish.length > 1 && place === null && known.length === 0 && !isWholeAddress(wish) && may('people.manage')
  return [
    ...(wish === ''
      ? recentVisits().map(({ path, title }): Command => ({
          id: `recent-${path}`,
          group: 'recent',
          icon: 'clock',
          label: title,
          run: go(path),
        }))
      : []),
    ...things.map((thing): Command => ({ ...thing, run: go(placeOf(thing.id) ?? '/app') })),
    ...(place === null ? [] : [{ id: 'thing', group: 'places' as const, icon: 'link', label: wish, run: go(place) }]),
    ...known,
    ...(mayBeName
      ? [
          {
            id: 'in-people',
            group: 'people' as const,
            icon: 'search',
            label: words('palette:inPeople', { words: wish }),
            kind: words('palette:byWhole'),
            run: () => void navigate({ to: '/app/people', search: { q: wish } }),
          },
        ]
      : []),
  ]
}
