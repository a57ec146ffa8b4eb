import { readFile } from 'node:fs/promises'
import { EnvironmentError } from './environmentError.ts'

/** The text of the signed shield book at SHIELD_BOOK; null without the variable. Throws `EnvironmentError`. */
export async function loadShieldBook(path: string | undefined): Promise<string | null> {
  if (path === undefined) return null
  try {
    const text = await readFile(path, 'utf8')
    JSON.parse(text)
    return text
  } catch (error) {
    const cause = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new EnvironmentError([
      `SHIELD_BOOK: ${path} ${cause}. Make it by npm run address-book -- shield-book, or unset the variable.`,
    ])
  }
}
