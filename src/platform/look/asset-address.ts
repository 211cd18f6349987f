const FILE = /^([\w-]{43})\.(png|jpg|webp|svg)$/

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

/** The address of a picture as our own pages ask for it: by its path, whatever host the page came from. */
export function onOwnPage(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : address
  return path.startsWith(ASSETS) && hashInFile(path.slice(ASSETS.length)) !== null ? path : address
}

/** Whether a page has to ask another server for a picture. Only earlier releases stored such addresses. */
export function isElsewhere(address: string): boolean {
  return !onOwnPage(address).startsWith('/')
}
