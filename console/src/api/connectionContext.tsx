import {
  type CausewayClient,
  CausewayError,
  type Connection,
  createConnection,
} from '@causeway/sdk'
import { CausewayProvider } from '@causeway/sdk/react'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useSession } from '../session/SessionProvider.tsx'

type Access = {
  connection: Connection
  apiKey: string | null
  /** Null goes on without a key. */
  setApiKey: (apiKey: string | null) => void
}

const AccessContext = createContext<Access | null>(null)

/**
 * The API of this origin. The caller is the session, for the chosen organization; without a session, a key that was typed in. A
 * key is kept in memory only: closing the page forgets it, and all that was read with it.
 */
export function AccessProvider({ children }: { children: ReactNode }) {
  const { session, organization, refresh, isEnded, setEnded } = useSession()
  const [apiKey, setApiKey] = useState<string | null>(null)
  const memberId = session?.member?.id
  const organizationId = organization?.id
  // Another caller may see other data, so nothing is shared between callers.
  const caller = organizationId ? `${memberId} ${organizationId}` : apiKey
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another caller makes another connection.
  const { connection, queries } = useMemo(() => {
    const onError = (error: Error) => {
      if (!organizationId || !(error instanceof CausewayError)) return
      if (error.reason === 'UNAUTHENTICATED') setEnded(true)
      // They were removed from the organization. If the session cannot be read, the next request leads here again.
      if (error.reason === 'ORGANIZATION_NOT_FOUND') void refresh().catch(() => {})
    }
    return {
      connection: asOrganization(
        createConnection({
          url: location.origin,
          apiKey: organizationId ? undefined : (apiKey ?? undefined),
          retry: { attempts: 2, maxDelayMs: 2_000 },
        }),
        organizationId,
      ),
      queries: new QueryClient({
        queryCache: new QueryCache({ onError }),
        mutationCache: new MutationCache({ onError }),
        defaultOptions: { queries: { retry: false, refetchOnWindowFocus: true } },
      }),
    }
  }, [caller])

  const wasEnded = useRef(isEnded)
  useEffect(() => {
    if (wasEnded.current && !isEnded) void queries.invalidateQueries()
    wasEnded.current = isEnded
  }, [isEnded, queries])

  return (
    <AccessContext value={{ connection, apiKey, setApiKey }}>
      {/* A query goes on with the client that it began with, so another caller draws everything anew. */}
      <QueryClientProvider key={caller ?? ''} client={queries}>
        {/* Cast, because the hooks ask no more of it: the whole client would be a fifth of the first page's script. */}
        <CausewayProvider client={connection as CausewayClient}>{children}</CausewayProvider>
      </QueryClientProvider>
    </AccessContext>
  )
}

/** A connection that speaks for an organization, if there is one. */
export function asOrganization(connection: Connection, id: string | undefined): Connection {
  return {
    ...connection,
    onRequest(request) {
      connection.onRequest(request)
      if (id) request.headers.set('x-causeway-organization', id)
    },
  }
}

export function useAccess(): Access {
  const access = useContext(AccessContext)
  if (!access) throw new Error('Invariant(console): no AccessProvider')
  return access
}
