import { readFileSync } from 'node:fs'

/** Causeway's sign: a way on arches, over water. */
export const LOGO = readFileSync(new URL('../../console/public/logo.svg', import.meta.url), 'utf8')
