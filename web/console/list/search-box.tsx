import { Icon } from '../../ui/icon.tsx'

interface Props {
  label: string
  /** A shorter text inside the field. Absent: the label. */
  placeholder?: string
  value: string
  onChange: (words: string) => void
}

/** The words that a list is searched for. */
export function SearchBox({ label, placeholder = label, value, onChange }: Props) {
  return (
    <label className="search">
      <Icon name="search" isSmall />
      <input
        className="input"
        type="search"
        value={value}
        placeholder={placeholder}
        title={placeholder === label ? undefined : label}
        aria-label={label}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}
