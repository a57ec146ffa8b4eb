import type { Connection } from '@causeway/sdk'
import { useEffect, useRef, useState } from 'react'
import type { Hash, PublicClient, WalletClient } from 'viem'
import { useAccess } from '../api/connectionContext.tsx'
import { readShield } from '../api/readShield.ts'
import { guideWallet, type Words } from './guideWallet.ts'
import type { Exchange, SignatureWish, Step } from './step.ts'
import type { Wallet } from './wallet.ts'

/** The tools of a journey. */
export type Guide = {
  /** Its requests are shown. */
  connection: Connection
  signal: AbortSignal
  /** Connects the wallet to a chain. The result takes the words for what is signed there. */
  signerOf: (wallet: Wallet, chainId: number) => Promise<(words: Words) => Signing>
}

/** The options with which a flow of the client signs and sends. They show each of its steps. */
type Signing = {
  walletClient: WalletClient
  publicClient: PublicClient
  signal: AbortSignal
  onSent: (sent: { hash: Hash }) => void
  onChecked: (checked: { ok: string }) => void
}

/** The steps of a guided journey, as they are made. */
export function useJourney() {
  const { connection } = useAccess()
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])

  async function start(journey: (guide: Guide) => Promise<void>): Promise<void> {
    current.current?.abort()
    const ended = new AbortController()
    const { signal } = ended
    current.current = ended
    setSteps([])
    setFailure(null)
    setRunning(true)
    try {
      const shield = await readShield(signal)
      const checked = { ...connection, shield }
      await journey(guideOf(checked, signal, (change) => !signal.aborted && setSteps(change)))
    } catch (error) {
      if (!signal.aborted) setFailure(error)
    } finally {
      if (!signal.aborted) setRunning(false)
    }
  }
  return { steps, failure, isRunning, start }
}

type Change = (steps: readonly Step[]) => readonly Step[]

function guideOf(
  connection: Connection,
  signal: AbortSignal,
  apply: (change: Change) => void,
): Guide {
  let lastId = 0
  /** The shield's verdict on the next signature. */
  let sentence: string | null = null
  const agree = (wished: SignatureWish) =>
    new Promise<boolean>((resolve) => {
      const wish = sentence === null ? wished : { ...wished, checked: sentence }
      sentence = null
      const id = ++lastId
      const decide = (isSigned: boolean) => {
        apply((steps) =>
          steps.map((step) =>
            step.kind === 'signature' && step.id === id
              ? { ...step, state: isSigned ? 'signed' : 'refused' }
              : step,
          ),
        )
        resolve(isSigned)
      }
      apply((steps) => [...steps, { kind: 'signature', id, wish, state: 'waiting', decide }])
    })
  return {
    signal,
    connection: recordRequests(connection, (exchange) => {
      const id = ++lastId
      apply((steps) => withExchange(steps, exchange, id))
    }),
    async signerOf(wallet, chainId) {
      const { walletClient, publicClient } = await wallet.clientsOf(chainId)
      return (words) => ({
        walletClient: guideWallet(walletClient, words, agree),
        publicClient,
        signal,
        onSent({ hash }) {
          const id = ++lastId
          apply((steps) => [...steps, { kind: 'sent', id, chainId, hash }])
        },
        onChecked({ ok }) {
          sentence = ok
        },
      })
    },
  }
}

/** A request that repeats the last one, or its answer, takes the place of that. */
function withExchange(steps: readonly Step[], exchange: Exchange, id: number): readonly Step[] {
  const last = steps.at(-1)
  if (last?.kind !== 'request' || last.exchange.url !== exchange.url)
    return [...steps, { kind: 'request', id, exchange }]
  const isAgain = exchange.status === null
  const count = last.exchange.count + Number(isAgain)
  // Until it is answered again, the former answer stays.
  const shown = isAgain ? { ...last.exchange, count } : { ...exchange, count }
  return [...steps.slice(0, -1), { ...last, exchange: shown }]
}

/** Gets a request when it is sent, and again with its answer. */
type Recorder = (exchange: Exchange) => void

/** A connection whose requests and answers are recorded. */
function recordRequests(connection: Connection, record: Recorder): Connection {
  // The SDK reports a request and sends it in one go, so nothing comes between the two.
  let operation = ''
  return {
    ...connection,
    onRequest(request) {
      operation = request.operation
      connection.onRequest(request)
    },
    async fetch(input, init) {
      const sent: Exchange = {
        operation,
        method: init?.method ?? 'GET',
        url: String(input),
        body: typeof init?.body === 'string' ? init.body : null,
        status: null,
        answer: null,
        durationMs: null,
        count: 1,
      }
      record(sent)
      const startedAt = performance.now()
      const response = await connection.fetch(input, init)
      const answer = await response.clone().text()
      const durationMs = performance.now() - startedAt
      record({ ...sent, status: response.status, answer, durationMs })
      return response
    },
  }
}
