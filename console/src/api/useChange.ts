import { CausewayError, type Connection } from '@causeway/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useProof } from '../session/ProofProvider.tsx'
import { useAccess } from './connectionContext.tsx'

type Change<Given, Result> = (connection: Connection, given: Given) => Promise<Result>

type Options<Result> = {
  /** The first parts of the keys of reads that it changes. */
  changes: readonly string[]
  onSuccess?: (result: Result) => void
}

/** A change through the API. If it needs a fresh proof of who is there, it asks for one and is repeated. */
export function useChange<Given, Result>(
  change: Change<Given, Result>,
  { changes, onSuccess }: Options<Result>,
) {
  const { connection } = useAccess()
  const prove = useProof()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (given: Given) => {
      try {
        return await change(connection, given)
      } catch (error) {
        const isProofNeeded =
          error instanceof CausewayError && error.reason === 'REAUTHENTICATION_NEEDED'
        if (!isProofNeeded || !(await prove())) throw error
        return change(connection, given)
      }
    },
    onSuccess(result) {
      onSuccess?.(result)
      return Promise.all(changes.map((name) => queries.invalidateQueries({ queryKey: [name] })))
    },
  })
}
