/** What a store needs to fetch a page: rows older than `before`, newest first, one more than `limit`. */
export interface PageRequest {
  limit: number
  before: string | null
}
