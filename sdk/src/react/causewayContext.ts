'use client'

import { createContext, createElement, type ReactNode, useContext } from 'react'
import type { CausewayClient } from '../createCausewayClient.ts'

const CausewayContext = /* @__PURE__ */ createContext<CausewayClient | null>(null)

export type CausewayProviderProps = { client: CausewayClient; children?: ReactNode }

/**
 * Gives the hooks below it their client. TanStack's `QueryClientProvider` is needed too.
 *
 * @example
 * const app = <CausewayProvider client={causeway}>{page}</CausewayProvider>
 */
export function CausewayProvider({ client, children }: CausewayProviderProps) {
  // A context itself is a provider from React 19 on.
  return createElement(CausewayContext.Provider, { value: client }, children)
}

/**
 * The client of the nearest `CausewayProvider`. Throws without one.
 *
 * @example
 * const causeway = useCauseway()
 */
export function useCauseway(): CausewayClient {
  const client = useContext(CausewayContext)
  if (client) return client
  throw new Error('no CausewayProvider above this component')
}
