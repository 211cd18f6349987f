import { useWords } from '../words/words.ts'

/** How a program does what a screen does. `path` and `body` as in the API's reference; without a body it reads. */
export function Call({ path, body }: { path: string; body?: string }) {
  const words = useWords()
  const command = `curl "$BASE${path}" -H "Authorization: Bearer $TOKEN"`
  return (
    <>
      <p className="faint">{words('frame:byProgram')}</p>
      <pre className="code" tabIndex={0}>
        {body === undefined ? command : `${command} \\\n  -d '${body}'`}
      </pre>
    </>
  )
}
