import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.tsx'
import { ApiProblem } from '../../api/client.ts'
import { reasonOf } from '../frame/failure.tsx'
import { answerOf, api } from '../session/api.ts'
import { useWords } from '../words/words.ts'

/** A picture to choose. The chosen file becomes an asset of the workspace. */
export function PictureOf({ url, onChange }: { url: string | undefined; onChange: (url: string | undefined) => void }) {
  const words = useWords()
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: (file: File) =>
      answerOf(
        api.POST('/v1/assets', {
          body: file as never,
          bodySerializer: (body) => body as unknown as Blob,
          headers: { 'content-type': file.type },
        }),
      ),
    onSuccess: (asset) => onChange(asset.url),
    onError: (error) =>
      toast({
        text:
          error instanceof ApiProblem && error.status === 413 ? words('looks:pictureLarge') : reasonOf(error, words),
      }),
  })
  return (
    <span className="picture">
      <button
        type="button"
        aria-label={words(url === undefined ? 'looks:picture' : 'looks:otherPicture')}
        aria-busy={upload.isPending}
        onClick={() => input.current?.click()}
      >
        {url === undefined ? <Icon name="plus" isSmall /> : <img src={ownPath(url)} alt="" />}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) upload.mutate(file)
          target.value = ''
        }}
      />
    </span>
  )
}

// The address that the API gives may name another host than the one in use.
function ownPath(url: string): string {
  try {
    const { pathname } = new URL(url, location.origin)
    return pathname.startsWith('/assets/') || pathname.startsWith('/public/') ? pathname : url
  } catch {
    return url
  }
}
