const SHORTEST_KEY = 8

/**
 * A function that removes the parts of `url` that may be keys from a text: its path and query, and each
 * long part of them, because nodes also repeat a key alone ("invalid api key …"). The host stays.
 */
export function redactUrl(url: string): (text: string) => string {
  const { host, pathname, search, searchParams } = new URL(url)
  const keys = [...pathname.split('/'), ...searchParams.values()].filter(
    (part) => part.length >= SHORTEST_KEY,
  )
  const secrets = [`${pathname}${search}`, pathname, ...keys].filter((part) => part.length > 1)
  return (text) =>
    secrets.reduce(
      (cleaned, secret) => cleaned.replaceAll(secret, '/…'),
      text.replaceAll(url, host),
    )
}
