import { CausewayError } from '@causeway/sdk'
import { askConsole } from './askConsole.ts'
import type { Session } from './session.ts'

/** The session where none can be read. */
export const NOBODY: Session = { signIn: null, member: null }

/** The session of this browser, which it extends. Without sign-in here, the path is not found. */
export async function readSession(): Promise<Session> {
  try {
    return await askConsole<Session>('/session')
  } catch (error) {
    if (error instanceof CausewayError && error.reason === 'PATH_NOT_FOUND') return NOBODY
    throw error
  }
}

/** Read while the script of the page loads, so that no page waits twice. */
export const firstSession: Promise<Session> = readSession()
// The provider treats a failure; it is drawn later than this fails.
firstSession.catch(() => {})
