// The page names the address of the sprite, which changes with its content.
const SPRITE = document.querySelector<HTMLMetaElement>('meta[name="earshot:icons"]')?.content ?? ''

interface Props {
  /** A sign of `icons.svg`. */
  name: string
  isSmall?: boolean
  /** Points the other way from right to left. */
  flips?: boolean
}

/** A sign beside a word. It is silent: the word says it. */
export function Icon({ name, isSmall = false, flips = false }: Props) {
  return (
    <svg className={`icon${isSmall ? ' small' : ''}${flips ? ' flip' : ''}`} aria-hidden="true">
      <use href={`${SPRITE}#${name}`} />
    </svg>
  )
}
