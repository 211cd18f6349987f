import type { FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Tag } from '../../ui/parts.tsx'
import { useWords } from '../words/words.ts'

interface Props {
  tags: string[]
  mayManage: boolean
  /** `onSaved` empties the field for a new tag. */
  onChange: (tags: string[], onSaved?: { onSuccess: () => void }) => void
}

/** The tags of one thing, to add to and to take off. */
export function Tags({ tags, mayManage, onChange }: Props) {
  const words = useWords()
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const tag = String(new FormData(form).get('tag')).trim()
    if (tag === '' || tags.includes(tag)) return
    onChange([...tags, tag], { onSuccess: () => form.reset() })
  }
  if (!mayManage && tags.length === 0) return null
  return (
    <section className="section" aria-label={words('list:fields.tag')}>
      <div className="filters">
        {tags.map((tag) => (
          <Tag
            key={tag}
            onRemove={mayManage ? () => onChange(tags.filter((each) => each !== tag)) : undefined}
            removeLabel={words('list:untag', { tag })}
          >
            {tag}
          </Tag>
        ))}
        {mayManage && (
          <form onSubmit={add} style={{ display: 'flex', gap: 4 }}>
            <input
              className="input"
              name="tag"
              aria-label={words('list:addTag')}
              placeholder={words('list:addTag')}
              maxLength={64}
              style={{ width: 140, height: 28 }}
            />
            <Button type="submit" look="quiet">
              <Icon name="tag" isSmall />
              {words('list:tag')}
            </Button>
          </form>
        )}
      </div>
    </section>
  )
}
