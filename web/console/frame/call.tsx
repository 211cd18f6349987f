/** How a program does what a screen does. `path` and `body` as in the API's reference; without a body it reads. */
export function Call({ path, body }: { path: string; body?: string }) {
  const command = `curl "$BASE${path}" -H "Authorization: Bearer $TOKEN"`
  return (
    <pre className="code" tabIndex={0}>
      {body === undefined ? command : `${command} \\\n  -d '${body}'`}
    </pre>
  )
}
