import { LRUCache } from 'lru-cache'

/** The name and size of a cache. Its entries live as long as the process's `Services`. */
export interface CacheKind<Key extends {}, Value extends {}> {
  readonly limits: Limits<Value>
  /** Never set. It only carries the types. */
  readonly types?: [Key, Value]
}

type Limits<Value> = { max: number } | { maxSize: number; sizeOf(value: Value): number }

export interface Caches {
  /** Returns the cache of a kind. It drops the entries that were unused longest. */
  of<Key extends {}, Value extends {}>(kind: CacheKind<Key, Value>): LRUCache<Key, Value>
}

export function cacheOf<Key extends {}, Value extends {}>(limits: Limits<Value>): CacheKind<Key, Value> {
  return { limits }
}

export function createCaches(): Caches {
  const made = new Map<object, unknown>()
  return {
    of<Key extends {}, Value extends {}>(kind: CacheKind<Key, Value>) {
      const known = made.get(kind) as LRUCache<Key, Value> | undefined
      if (known) return known
      const { limits } = kind
      const cache =
        'max' in limits
          ? new LRUCache<Key, Value>(limits)
          : new LRUCache<Key, Value>({ maxSize: limits.maxSize, sizeCalculation: limits.sizeOf })
      made.set(kind, cache)
      return cache
    },
  }
}
