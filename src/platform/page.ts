/** A page to fetch from a store: rows older than `before`, newest first, one more than `limit`. */
export interface PageRequest {
  limit: number
  before: string | null
}
