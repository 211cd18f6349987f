/** The workspace's own name of an endpoint, or its host. */
export function endpointName({ description, url }: { description: string; url: string }): string {
  if (description.trim() !== '') return description
  return URL.parse(url)?.host ?? url
}
