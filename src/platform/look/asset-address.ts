const FILE = /^([\w-]{43})\.(png|jpg|webp|svg)$/
const OWN_PATH = /^\/(?![/\\])/

/** The path below which the pictures of all workspaces are public. */
export const ASSETS = '/public/assets/'

/** The hash in the name of a file. Null for any other name. */
export function hashInFile(name: string): string | null {
  return FILE.exec(name)?.[1] ?? null
}

/** The hash in a path or an address of this server. Null for anything else. */
export function hashInAddress(address: string, baseUrl: string): string | null {
  const path = address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : address
  return path.startsWith(ASSETS) ? hashInFile(path.slice(ASSETS.length)) : null
}

/**
 * The address of a picture as our own pages ask for it: by its path, whatever host the page came from. Null for a
 * picture of another server, which would see who visits a page.
 */
export function onOwnPage(address: string): string | null {
  const path = URL.canParse(address) ? new URL(address).pathname : address
  if (path.startsWith(ASSETS) && hashInFile(path.slice(ASSETS.length)) !== null) return path
  return OWN_PATH.test(address) ? address : null
}
