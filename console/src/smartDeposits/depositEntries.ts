import { DEPOSIT_STATUS, type SmartDeposit, shownStatus } from './depositStatus.ts'

type Event = SmartDeposit['timeline'][number]
type DepositEventKind = Lowercase<SmartDeposit['status']>

/** An event that was recorded, or one that is still expected. */
export type DepositEntry = {
  key: string
  kind: DepositEventKind
  title: string
  about: string
  event: Event | null
}

const TITLES: Record<DepositEventKind, string> = {
  pending: 'Payment arrived',
  converting: 'Sent on by a Transit order',
  confirmed: 'In the vault',
  finalized: 'Finalized',
  failed: 'Not in the vault',
  reverted: 'Taken back by a reorganisation',
}

const ABOUTS: Record<DepositEventKind, string> = {
  pending: 'The payment is deep enough in the chain to act on.',
  converting: DEPOSIT_STATUS.CONVERTING.about,
  confirmed: 'The keeper forwarded it, and the user got the shares.',
  finalized: DEPOSIT_STATUS.FINALIZED.about,
  failed: DEPOSIT_STATUS.FAILED.about,
  reverted: 'An earlier step is no longer true. The present state follows.',
}

const DIRECT_WAY = ['pending', 'confirmed', 'finalized'] as const
/** The steps of a payment in another token or on another chain. */
const TRANSIT_WAY = ['pending', 'converting', 'confirmed', 'finalized'] as const

/** The events of a deposit, oldest first, and after them those that are still expected. */
export function depositEntries(deposit: SmartDeposit): DepositEntry[] {
  const made = deposit.timeline.flatMap((event): DepositEntry[] => {
    const kind = kindOf(event)
    return kind ? [{ key: event.id, kind, ...textsOf(kind, deposit), event }] : []
  })
  if (deposit.status === 'FAILED' || deposit.status === 'REVERTED') return made
  const way = deposit.originAsset === undefined ? DIRECT_WAY : TRANSIT_WAY
  const at = way.findIndex((kind) => kind.toUpperCase() === deposit.status)
  const expected = way.slice(at + 1).map((kind): DepositEntry => {
    return { key: kind, kind, ...textsOf(kind, deposit), event: null }
  })
  return [...made, ...expected]
}

function kindOf({ type }: Event): DepositEventKind | null {
  const name = type.split('.').at(-1)
  return Object.keys(TITLES).find((kind): kind is DepositEventKind => kind === name) ?? null
}

function textsOf(kind: DepositEventKind, deposit: SmartDeposit) {
  if (kind !== 'failed' || !deposit.remediation) return { title: TITLES[kind], about: ABOUTS[kind] }
  const { name, about } = shownStatus(deposit)
  return { title: name, about }
}
