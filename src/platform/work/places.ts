export interface Places {
  /** Works at once. */
  all: number
  /** Works of one asker at once. */
  each: number
}

/** The last quarter of the places is for askers who hold none, so that a few with slow works leave room for others. */
export function hasPlace({ all, each }: Places, taken: number, own: number): boolean {
  if (own === 0) return taken < all
  return own < each && taken < all - Math.ceil(all / 4)
}
