import { CausewayError, type Connection } from '@causeway/sdk'
import { useChange } from '@causeway/sdk/react'
import { useProof } from '../session/ProofProvider.tsx'

type Affected = Parameters<typeof useChange>[1]

/** A change through the API. If it needs a fresh proof of who is there, it asks for one and is repeated. */
export function useProvenChange<Given, Result>(
  change: (connection: Connection, given: Given) => Promise<Result>,
  affects: Affected,
  settings: { onSuccess?: (result: Result) => void } = {},
) {
  const prove = useProof()
  async function proven(connection: Connection, given: Given): Promise<Result> {
    try {
      return await change(connection, given)
    } catch (error) {
      const isProofNeeded =
        error instanceof CausewayError && error.reason === 'REAUTHENTICATION_NEEDED'
      if (!isProofNeeded || !(await prove())) throw error
      return change(connection, given)
    }
  }
  return useChange(proven, affects, settings)
}
