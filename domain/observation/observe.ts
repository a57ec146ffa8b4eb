import { channel } from 'node:diagnostics_channel'

/** What happens in a process that somebody may want to count; nothing in it names a caller or a secret. */
export type Observation =
  | {
      kind: 'request'
      method: string
      /** The pattern, never the URL; null where no route matched. */
      route: string | null
      status: number
      /** Null for what was held open on purpose: long polls and streams. */
      seconds: number | null
    }
  | { kind: 'graphql'; operation: string; outcome: 'answered' | 'partial' | 'refused' | 'failed' }
  /** `error`: the node answered with one, a revert too. `failed`: it did not answer. */
  | { kind: 'rpc'; chainId: number; outcome: 'ok' | 'error' | 'failed'; seconds: number }
  | { kind: 'sharedRead'; of: string; isHit: boolean }
  | { kind: 'held'; what: 'long_poll' | 'stream'; change: 1 | -1 }
  /** `outcome` is `quoted` or the reason why not. */
  | { kind: 'quote'; sourceChainId: number; destinationChainId: number; outcome: string }
  /** An attempt to deliver a webhook; `dead` is the last that failed, `gone` a 410. */
  | { kind: 'delivery'; outcome: 'delivered' | 'failed' | 'dead' | 'gone'; seconds: number }
  /** Of the account that settles smart deposits. */
  | { kind: 'keeperBalance'; chainId: number; wei: bigint }
  /** How an attempt to settle a smart deposit ended: confirmed, or the remediation. */
  | { kind: 'smartDeposit'; chainId: number; outcome: string }

const observations = channel('causeway:observation')

/** Tells whoever listens in this process; costs next to nothing where nobody does. */
export function observe(observation: Observation): void {
  if (observations.hasSubscribers) observations.publish(observation)
}

/** Calls `listener` with every observation until the function that it returns is called. */
export function onObservation(listener: (observation: Observation) => void): () => void {
  const hear = (message: unknown) => listener(message as Observation)
  observations.subscribe(hear)
  return () => void observations.unsubscribe(hear)
}
