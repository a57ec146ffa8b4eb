import { readErrorAnswer } from '@causeway/sdk'
import { useQuery } from '@tanstack/react-query'
import { eventCatalogue, type WebhookDocument } from './eventCatalogue.ts'

/** The types of events, as the API's own document describes them. */
export function useEventCatalogue() {
  return useQuery({
    queryKey: ['event catalogue'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal })
      if (!response.ok) throw await readErrorAnswer(response)
      const document: WebhookDocument = await response.json()
      return eventCatalogue(document)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
