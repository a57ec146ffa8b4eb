import type { Connection } from '@causeway/sdk'
import { type Hex, recoverMessageAddress } from 'viem'

type Served = { book: { environment: string }; signature: Hex }

/**
 * The shield book of this installation. This page comes from the same server, so it pins whoever has signed the book: the
 * checks find mistakes of the API, and not a hostile server. Without a book the server is trusted.
 */
export async function readShield(signal?: AbortSignal): Promise<Connection['shield']> {
  const answer = await fetch('/shield-book.json', signal ? { signal } : {})
  if (answer.status === 404) return 'trust-server'
  if (!answer.ok) throw new Error(`The shield book cannot be read: ${answer.status}`)
  const book: Served = await answer.json()
  const message = JSON.stringify(book.book)
  const signer = await recoverMessageAddress({ message, signature: book.signature })
  return { book, signers: [signer], environment: book.book.environment }
}
