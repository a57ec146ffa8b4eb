import { CausewayError, type Connection, createConnection } from '@causeway/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

type Access = {
  connection: Connection
  apiKey: string | null
  /** Null goes on without a key. */
  setApiKey: (apiKey: string | null) => void
}

const AccessContext = createContext<Access | null>(null)

/** The API of this origin. A key is kept in memory only: closing the page forgets it, and all that was read with it. */
export function AccessProvider({ children }: { children: ReactNode }) {
  const [apiKey, setApiKey] = useState<string | null>(null)
  const { access, queries } = useMemo(
    () => ({
      access: {
        connection: createConnection({
          url: location.origin,
          apiKey: apiKey ?? undefined,
          retry: { attempts: 2, maxDelayMs: 2_000 },
        }),
        apiKey,
        setApiKey,
      },
      // Another key may see other data, so nothing is shared between keys.
      queries: new QueryClient({
        defaultOptions: { queries: { retry: mayPass, refetchOnWindowFocus: true } },
      }),
    }),
    [apiKey],
  )
  return (
    <AccessContext value={access}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </AccessContext>
  )
}

export function useAccess(): Access {
  const access = useContext(AccessContext)
  if (!access) throw new Error('Invariant(console): no AccessProvider')
  return access
}

/** The client has tried again already; an index that catches up takes longer. */
function mayPass(failures: number, error: Error): boolean {
  return error instanceof CausewayError && error.reason === 'INDEX_CATCHING_UP' && failures < 5
}
