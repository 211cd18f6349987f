import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useMe } from '../app/me.ts'
import { api, switchWorkspace } from '../session/api.ts'
import { endSession } from '../session/session.ts'
import { chooseLanguage, LANGUAGES, useLanguage, useWords, type Language } from '../words/words.ts'
import { chooseTheme, presentTheme, THEMES, type Theme } from './theme.ts'

const THEME_ICONS: Record<Theme, string> = { light: 'sun', dark: 'moon', system: 'monitor' }

/** The signed-in person, with what reaches the device: theme, language, workspace, sign-out. */
export function AccountMenu() {
  const words = useWords()
  const me = useMe()
  const language = useLanguage()
  const navigate = useNavigate()
  const name = me.user?.name ?? me.workspace.name
  const switchTo = async (id: string) => {
    await switchWorkspace(id)
    await navigate({ to: '/app' })
  }
  const workspaces = me.workspaces ?? []
  return (
    <div className="me">
      <span className="avatar" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <bdi className="grow cut">{name}</bdi>
      <Menu
        size="square"
        label={words('frame:account.open')}
        groups={[
          ...(workspaces.length > 1
            ? [
                {
                  title: words('frame:account.workspaces'),
                  items: workspaces.map(({ id, name: label }) => ({
                    label: <bdi>{label}</bdi>,
                    isChosen: id === me.workspace.id,
                    onChoose: () => void switchTo(id),
                  })),
                },
              ]
            : []),
          {
            title: words('frame:account.theme'),
            items: THEMES.map((theme) => ({
              label: words(`frame:themes.${theme}`),
              icon: THEME_ICONS[theme],
              isChosen: presentTheme() === theme,
              onChoose: () => chooseTheme(theme),
            })),
          },
          {
            title: words('frame:account.language'),
            items: Object.entries(LANGUAGES).map(([tag, label]) => ({
              label: <span lang={tag}>{label}</span>,
              isChosen: tag === language,
              onChoose: () => void chooseLanguage(tag as Language),
            })),
          },
          ...(me.permissions.includes('members.manage')
            ? [
                {
                  items: [
                    {
                      label: words('frame:commands.invite'),
                      icon: 'user-plus',
                      onChoose: () => void navigate({ to: '/app/welcome', search: { step: 'invite' } as never }),
                    },
                  ],
                },
              ]
            : []),
          { items: [{ label: words('frame:account.out'), icon: 'log-out', onChoose: () => void signOut() }] },
        ]}
      >
        <Icon name="settings" />
      </Menu>
    </div>
  )
}

/** Ends the session at the server and in all tabs. Without a network it ends in the tabs. */
export async function signOut(): Promise<void> {
  await api.DELETE('/v1/session').catch(() => undefined)
  endSession('here')
}

function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .map((part) => part.slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase()
}
