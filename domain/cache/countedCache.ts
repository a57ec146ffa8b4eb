import { LRUCache } from 'lru-cache'

/** The size of a cache and its bound, in entries; in characters where the bound is a number of characters. */
type CacheSize = { size: number; bound: number }

const caches = new Map<string, () => CacheSize>()

/** The sizes of this process's caches, by name. */
export function cacheSizes(): Map<string, CacheSize> {
  return new Map([...caches].map(([name, read]) => [name, read()]))
}

/** Shows a cache in the metrics. The name is that of one cache of the process: the next with it takes its place. */
export function countCache(name: string, read: () => CacheSize): void {
  caches.set(name, read)
}

/** A bounded cache that the metrics show. */
export function countedCache<
  Key extends NonNullable<unknown>,
  Value extends NonNullable<unknown>,
  Context = unknown,
>(name: string, options: LRUCache.Options<Key, Value, Context>): LRUCache<Key, Value, Context> {
  const cache = new LRUCache<Key, Value, Context>(options)
  countCache(name, () =>
    cache.maxSize > 0
      ? { size: cache.calculatedSize, bound: cache.maxSize }
      : { size: cache.size, bound: cache.max },
  )
  return cache
}
