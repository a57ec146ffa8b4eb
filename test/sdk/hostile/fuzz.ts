import type { Hex } from 'viem'
import type { OpenBook } from '../../../sdk/src/shield/book.ts'
import { checkCall } from '../../../sdk/src/shield/checkCall.ts'
import type { CallToCheck } from '../../../sdk/src/shield/checks.ts'
import { ShieldError } from '../../../sdk/src/shield/shieldError.ts'
import type { VaultNode } from '../../../sdk/src/shield/vaultRate.ts'
import type { SeededRandom } from '../../support/seededRandom.ts'
import { argsOf } from './recode.ts'
import type { Scenario } from './scenarios.ts'

const WORD = 64
const BOUNDS = ['00'.repeat(32), `${'00'.repeat(31)}01`, 'ff'.repeat(32), `7f${'ff'.repeat(31)}`]

/** One random change of an answer. */
export function alter(
  random: SeededRandom,
  { call, options, intent }: Scenario,
  others: Scenario[],
): Scenario {
  const data = call.data ?? '0x'
  const words = Math.floor((data.length - 10) / WORD)
  const at = 10 + WORD * random.integer(0, Math.max(0, words - 1))
  const withData = (changed: string) => ({ intent, options, call: { ...call, data: changed } })
  const put = (text: string, from: number) =>
    withData(data.slice(0, from) + text + data.slice(from + text.length))
  const other = others[random.integer(0, others.length - 1)] as Scenario
  const changes: [() => Scenario, ...(() => Scenario)[]] = [
    () => put(random.hex(1).slice(2), 2 + 2 * random.integer(0, data.length / 2 - 2)),
    () => put(random.hex(20).slice(2), at + 24),
    () => put(random.pick(BOUNDS as [string, ...string[]]), at),
    () => put(changedBy(data.slice(at, at + WORD), random.chance(0.5) ? 1n : -1n), at),
    () => put(random.hex(4).slice(2), 2),
    () => withData(data + random.hex(random.integer(1, 64)).slice(2)),
    () => withData(data.slice(0, 2 + 2 * random.integer(0, data.length / 2 - 1))),
    () => withData(other.call.data ?? '0x'),
    () => withData(data.slice(0, at) + other.call.data?.slice(at)),
    () => ({ intent, options, call: { ...call, to: random.hex(20) } }),
    () => ({ intent, options, call: { ...call, to: other.call.to } }),
    () => ({
      intent,
      options,
      call: { ...call, value: BigInt(random.hex(random.integer(1, 32))) },
    }),
    () => ({ intent, options, call: { ...call, value: call.value + 1n } }),
    () => ({ intent, options: { ...options, orderId: random.hex(32) }, call }),
    () => ({ intent, options, call: { ...call, chainId: other.call.chainId } }),
  ]
  return random.pick(changes)()
}

function changedBy(word: string, difference: bigint): string {
  const number = BigInt.asUintN(256, BigInt(`0x${word || '0'}`) + difference)
  return number.toString(16).padStart(WORD, '0')
}

/** Checks an altered answer. Returns the reason of the refusal, or null if it was accepted. */
export async function refusalOf(
  book: OpenBook,
  { intent, call, options }: Scenario,
  node: VaultNode | undefined,
): Promise<string | null> {
  try {
    await checkCall(book, intent, call, { ...options, node })
    return null
  } catch (error) {
    if (error instanceof ShieldError) return error.reason
    throw error
  }
}

/**
 * Whether an accepted call does what the unaltered one does: the oracle, which knows nothing of the shield. A distributor
 * code, an attestation and the unused parts of a signature may differ, and a minimum may be 1 % lower.
 */
export function isHarmless(before: Scenario, after: CallToCheck): boolean {
  const { call } = before
  const isAcross = before.intent.kind === 'transit' || before.intent.kind === 'depositFrom'
  const mostValue = isAcross && call.value > 0n ? 10n ** 16n : 0n
  return (
    after.chainId === call.chainId &&
    after.to.toLowerCase() === call.to.toLowerCase() &&
    after.value <= mostValue &&
    doesTheSame(call.data as Hex, after.data as Hex)
  )
}

function doesTheSame(before: Hex, after: Hex): boolean {
  const [old, changed] = [argsOf(before), argsOf(after)]
  const same = (...values: unknown[]) => json(values[0]) === json(values[1])
  const selector = before.slice(0, 10)
  // An allowance that is taken back hurts nobody.
  if (selector === '0x095ea7b3')
    return same(old[0], changed[0]) && (same(old, changed) || changed[1] === 0n)
  if (selector !== after.slice(0, 10)) return false
  const [first] = old
  if (typeof first === 'object' && 'route' in first) return same(first, changed[0])
  if (typeof first === 'object') {
    const bound = ({ signatureParams, ...order }: typeof first) => ({
      ...order,
      submitWithSignature: signatureParams.submitWithSignature,
    })
    return same(bound(first), bound(changed[0]))
  }
  if (old.length < 4) return same(old, changed)
  const isMinimumKept = changed[2] * 100n >= old[2] * 99n
  return same([old[0], old[1], old[3]], [changed[0], changed[1], changed[3]]) && isMinimumKept
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  )
}

/** A node whose answers are kept, so that a hundred thousand checks ask it once. */
export function keptNode(node: VaultNode): VaultNode {
  const kept = new Map<string, Promise<unknown>>()
  const readContract = (call: { address: string; functionName: string; args?: unknown }) => {
    const key = json([call.address, call.functionName, call.args])
    const known =
      kept.get(key) ?? node.readContract(call as Parameters<VaultNode['readContract']>[0])
    kept.set(key, known)
    return known
  }
  return { readContract } as VaultNode // Its type depends on the ABI of each call.
}
