import type { Reason } from '../error/reason.ts'
import { ServiceError } from '../error/serviceError.ts'

/** Why a call would be refused: what its error would say. `since` is null where it is not known. */
export type ClosedReason = {
  reason: Reason
  message: string
  metadata: Record<string, string>
  since: Date | null
}

/** Whether a call would be taken now, and why it would not. */
export type Capability = { isOpen: boolean; reasons: ClosedReason[] }

type Check = () => unknown

/** Open if no check refuses. Throws every error that is no refusal. */
export async function openIfAllPass(checks: (Check | Promise<unknown>)[]): Promise<Capability> {
  const refusals = await Promise.all(checks.map(refusalOf))
  return closedBy(refusals.filter((refusal) => refusal !== null))
}

/** Open if one way is; else the reasons of all ways, each once. */
export function openIfOneIs(ways: Capability[]): Capability {
  if (ways.some(({ isOpen }) => isOpen)) return { isOpen: true, reasons: [] }
  return closedBy(ways.flatMap(({ reasons }) => reasons))
}

/** Open if both are; else the reasons of both. */
export function openIfBothAre(one: Capability, other: Capability): Capability {
  return closedBy([...one.reasons, ...other.reasons])
}

async function refusalOf(check: Check | Promise<unknown>): Promise<ClosedReason | null> {
  try {
    await (typeof check === 'function' ? check() : check)
    return null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { reason, message, metadata } = error
    return {
      reason,
      message,
      metadata,
      since: metadata.pausedAt ? new Date(metadata.pausedAt) : null,
    }
  }
}

function closedBy(reasons: ClosedReason[]): Capability {
  const byText = new Map(reasons.map((reason) => [JSON.stringify(reason), reason]))
  return { isOpen: reasons.length === 0, reasons: [...byText.values()] }
}
