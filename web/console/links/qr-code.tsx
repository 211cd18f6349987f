import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { saveFile, answerOf, api } from '../session/api.ts'
import { toast } from '../../ui/toast.tsx'
import { reasonOf } from '../frame/failure.tsx'
import { Loaded } from '../frame/loaded.tsx'
import { useWords } from '../words/words.ts'
import type { ShortUrl } from './short-urls.ts'

const SIZES = ['svg', 'png'] as const

/** The picture that a camera reads as a short link, to see and to keep. */
export function QrCode({ link, label }: { link: ShortUrl; label: string }) {
  const words = useWords()
  const code = useQuery({
    queryKey: ['qr', link.id, link.url],
    queryFn: () => readPicture(link.id, 'svg'),
    staleTime: Infinity,
  })
  const save = useMutation({
    mutationFn: (kind: (typeof SIZES)[number]) => readPicture(link.id, kind),
    onSuccess: (file, kind) => saveFile(`${link.slug}.${kind}`, file),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return (
    <>
      <Loaded query={code} skeletonRows={3}>
        {(svg) => <Picture svg={svg} label={label} />}
      </Loaded>
      <div className="links-row">
        {SIZES.map((kind) => (
          <Button key={kind} isBusy={save.isPending && save.variables === kind} onClick={() => save.mutate(kind)}>
            <Icon name="download" isSmall />
            {kind.toUpperCase()}
          </Button>
        ))}
      </div>
    </>
  )
}

function Picture({ svg, label }: { svg: Blob; label: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(svg)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [svg])
  return address && <img className="qr" src={address} alt={label} width={200} height={200} />
}

function readPicture(id: string, kind: (typeof SIZES)[number]): Promise<Blob> {
  const params = { params: { path: { id } }, parseAs: 'blob' as const }
  return answerOf(
    kind === 'svg' ? api.GET('/v1/short-urls/{id}/qr.svg', params) : api.GET('/v1/short-urls/{id}/qr.png', params),
  ) as Promise<unknown> as Promise<Blob>
}
