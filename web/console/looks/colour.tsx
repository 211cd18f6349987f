import { useState } from 'react'
import { Labelled } from '../../ui/form.tsx'
import { useWords } from '../words/words.ts'

/** The choices of a look. */
export const CHOICES = {
  layout: ['plain', 'card', 'split'],
  font: ['system', 'serif', 'inter', 'nunito', 'literata'],
  corners: ['square', 'rounded', 'round'],
} as const

interface ColourProps {
  label: string
  value: string | null
  /** Of the workspace. */
  usual: string | null
  /** The token that stands for none. */
  token: string
  error?: string | undefined
  onChange: (value: string | null) => void
}

const HEX = /^#[0-9a-f]{6}$/i

function tokenOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

/** A colour to pick or to type. Empty means the usual one. */
export function Colour({ label, value, usual, token, error, onChange }: ColourProps) {
  const words = useWords()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Labelled label={label} error={error}>
      {(control) => (
        <span className="colour">
          <input
            type="color"
            aria-label={words('looks:pick', { label })}
            value={value ?? usual ?? tokenOf(token)}
            onChange={({ target }) => onChange(target.value)}
          />
          <input
            {...control}
            className="input mono"
            dir="ltr"
            placeholder={usual ?? words('looks:usual')}
            value={typed ?? value ?? ''}
            onBlur={() => setTyped(null)}
            onChange={({ target }) => {
              setTyped(target.value)
              if (target.value === '') onChange(null)
              else if (HEX.test(target.value)) onChange(target.value)
            }}
          />
        </span>
      )}
    </Labelled>
  )
}
