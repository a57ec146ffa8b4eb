import { CausewayError } from '@causeway/sdk'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { askConsole } from './askConsole.ts'
import type { Organization, Session } from './session.ts'

const EXTENDED_EVERY_MS = 10 * 60_000
const READ_AGAIN_MS = 2_000

type SessionContextValue = {
  /** Null while it is read for the first time. */
  session: Session | null
  /** The organization for which the person speaks; null for nobody. */
  organization: Organization | null
  chooseOrganization: (id: string) => void
  /** Reads the session again, after it was changed. */
  refresh: () => Promise<void>
  signOut: () => Promise<void>
  /** Whether the API reported that the session is over, and nobody has signed in since. */
  isEnded: boolean
  setEnded: (isEnded: boolean) => void
}

const SessionContext = createContext<SessionContextValue | null>(null)

/** Provides the signed-in person and the chosen organization. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null)
  const [chosen, setChosen] = useState(storedOrganization)
  const [isEnded, setEnded] = useState(false)
  const organizations = session?.member?.organizations ?? []
  const organization = organizations.find(({ id }) => id === chosen) ?? organizations[0] ?? null

  const refresh = useCallback(async () => {
    setSession(await readSession())
    setEnded(false)
  }, [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = (reading: Promise<Session>) =>
      reading.then(setSession, () => {
        // Meanwhile the page shows public data.
        setSession((known) => known ?? NOBODY)
        timer = setTimeout(() => void read(readSession()), READ_AGAIN_MS)
      })
    void read(firstSession)
    return () => clearTimeout(timer)
  }, [])

  const isSignedIn = Boolean(session?.member) && !isEnded
  useEffect(() => {
    if (!isSignedIn) return
    const extend = async () => {
      const { member } = await readSession()
      if (!member) setEnded(true)
    }
    // A network that fails for a while ends no session.
    const timer = setInterval(() => void extend().catch(() => {}), EXTENDED_EVERY_MS)
    return () => clearInterval(timer)
  }, [isSignedIn])

  const organizationId = organization?.id ?? null
  useEffect(() => {
    if (session) storeOrganization(organizationId)
  }, [session, organizationId])

  const signOut = async () => {
    await askConsole('/sign-out', {})
    await refresh()
  }
  const value = {
    session,
    organization,
    chooseOrganization: setChosen,
    refresh,
    signOut,
    isEnded,
    setEnded,
  }
  return <SessionContext value={value}>{children}</SessionContext>
}

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext)
  if (!value) throw new Error('Invariant(console): no SessionProvider')
  return value
}

const KEY = 'causeway.organization'

/** The id of the organization that was chosen in this browser. GraphiQL and the reference read it too. */
function storedOrganization(): string | null {
  return localStorage.getItem(KEY)
}

function storeOrganization(id: string | null): void {
  if (id === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, id)
}

/** The session where none can be read. */
const NOBODY: Session = { signIn: null, member: null }

/** The session of this browser, which it extends. Without sign-in here, the path is not found. */
async function readSession(): Promise<Session> {
  try {
    return await askConsole<Session>('/session')
  } catch (error) {
    if (error instanceof CausewayError && error.reason === 'PATH_NOT_FOUND') return NOBODY
    throw error
  }
}

/** Read while the script of the page loads, so that no page waits twice. */
const firstSession: Promise<Session> = readSession()
// The provider treats a failure; it is drawn later than this fails.
firstSession.catch(() => {})
