import type { ReactNode } from 'react'
import type { Hash } from 'viem'

/** A request with its answer, as they went over the wire. */
export type Exchange = {
  operation: string
  method: string
  url: string
  /** Null for a request without a body. */
  body: string | null
  /** Null until the answer is there. */
  status: number | null
  answer: string | null
  durationMs: number | null
  /** How often it was asked in a row: the newest answer is kept. */
  count: number
}

/** A signature that the wallet is asked for. */
export type SignatureWish = {
  title: string
  about: ReactNode
  facts: readonly (readonly [name: string, value: ReactNode])[]
  /** The sentence of the SDK's shield about this signature. Absent where this installation has no book. */
  checked?: string
  /** The data that the wallet signs, as JSON. */
  signed: string
}

export type Step =
  | { kind: 'request'; id: number; exchange: Exchange }
  | {
      kind: 'signature'
      id: number
      wish: SignatureWish
      state: 'waiting' | 'signed' | 'refused'
      decide: (isSigned: boolean) => void
    }
  | { kind: 'sent'; id: number; chainId: number; hash: Hash }
