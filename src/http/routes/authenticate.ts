/** The token of `Authorization: Bearer <token>` (RFC 6750), or null. The scheme's case does not matter. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer ([\w.~+/-]{16,512}=*)$/i.exec(header ?? '')?.[1] ?? null
}
