/** The address by which people reach this server. It may differ from the one of this page. */
export const PUBLIC_BASE =
  document.querySelector<HTMLMetaElement>('meta[name="earshot:base"]')?.content ?? location.origin
