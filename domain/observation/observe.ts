import { channel } from 'node:diagnostics_channel'

/** Requests that are held open on purpose: `csv` while its client takes a page, or its quota is used up. */
export type HeldRequest = 'long_poll' | 'stream' | 'csv'

/** Events in a process that can be counted. They never name a caller or contain a secret. */
export type Observation =
  | {
      kind: 'request'
      method: string
      /** The pattern of the route, never the URL; null if no route matched. */
      route: string | null
      status: number
      /** Null for requests that are held open on purpose: long polls, streams and CSV. */
      seconds: number | null
    }
  | { kind: 'graphql'; operation: string; outcome: 'answered' | 'partial' | 'refused' | 'failed' }
  /** `error`: the node answered with an error, which may be a revert. `failed`: it did not answer. */
  | {
      kind: 'rpc'
      chainId: number
      method: string
      outcome: 'ok' | 'error' | 'failed'
      seconds: number
      /** Bytes of the bodies, as they are when nothing is compressed. */
      sent: number
      received: number
    }
  /** A node announced a head over a websocket, in so many bytes. */
  | { kind: 'headMessage'; chainId: number; received: number }
  /** An indexer gave a block to Ponder. */
  | { kind: 'block'; chainId: number }
  | { kind: 'sharedRead'; of: string; isHit: boolean }
  /** A read of nodes that apis make for each other: another one had its answer, or this one asks the nodes itself. */
  | { kind: 'nodeRead'; of: string; by: 'another' | 'itself' }
  /** A statement on the index was answered by a replica, or, although there are replicas, by the primary. */
  | { kind: 'indexRead'; server: 'replica' | 'primary' }
  /** A replica is used, or left out. `name` is its host and port. */
  | { kind: 'replica'; name: string; isUsed: boolean }
  | { kind: 'held'; what: HeldRequest; change: 1 | -1 }
  /** `outcome` is `quoted` or the reason of the refusal. */
  | { kind: 'quote'; sourceChainId: number; destinationChainId: number; outcome: string }
  /** An attempt to deliver a webhook: `dead` is the last failed one, `gone` a 410. */
  | { kind: 'delivery'; outcome: 'delivered' | 'failed' | 'dead' | 'gone'; seconds: number }
  /** The balance of one of the keeper's accounts. */
  | { kind: 'keeperBalance'; chainId: number; account: string; wei: bigint }
  /** The keeper's gas costs of the last hour, and the most that it may spend in an hour. */
  | { kind: 'keeperSpending'; chainId: number; wei: bigint; limitWei: bigint }
  /** The reason for which the keeper pauses; null if it sends. */
  | { kind: 'keeperHold'; chainId: number; hold: 'fee' | 'budget' | null }
  /** This process keeps the chain no longer: another one may. */
  | { kind: 'keeperEnd'; chainId: number }
  /** The result of an attempt to forward a payment: confirmed, or the remediation. */
  | { kind: 'smartDeposit'; chainId: number; outcome: string }
  /** Rows of the request log. `dropped`: too many waited to be written. */
  | { kind: 'requestLog'; outcome: 'written' | 'dropped'; requests: number }
  /** Ponder ended by itself. */
  | { kind: 'ponderEnd' }

const observations = channel('causeway:observation')

/** Reports to the listeners in this process. Costs almost nothing without listeners. */
export function observe(observation: Observation): void {
  if (observations.hasSubscribers) observations.publish(observation)
}

/** Calls `listener` with every observation until the returned function is called. */
export function onObservation(listener: (observation: Observation) => void): () => void {
  const receive = (message: unknown) => listener(message as Observation) // Only `observe` publishes.
  observations.subscribe(receive)
  return () => void observations.unsubscribe(receive)
}
