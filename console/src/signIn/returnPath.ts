const KEY = 'causeway.returnPath'

/** A path of this origin, or the overview: a link must not lead to another site after the sign-in. */
export function safePath(path: string | undefined): string {
  const url = path?.startsWith('/') ? URL.parse(path, location.origin) : null
  return url?.origin === location.origin ? url.pathname + url.search + url.hash : '/console'
}

/** Keeps the path while the browser is at the provider, which leads back to the overview only. */
export function keepReturnPath(path: string): void {
  sessionStorage.setItem(KEY, path)
}

/** The kept path, once. */
export function takeReturnPath(): string | null {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return path
}
