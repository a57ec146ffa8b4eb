const { DOCS_BASE } = process.env

/** Without `DOCS_BASE`, the site is for the api, which serves it at this path. */
export const IS_FOR_API = DOCS_BASE === undefined
export const BASE = DOCS_BASE ?? '/docs/'

/** Where it is built. The api must not serve a site of another path. */
export const FOLDER = IS_FOR_API ? 'dist' : 'published'
