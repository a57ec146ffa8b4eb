import { type Address, type Hex, hexToBytes, type PublicClient, parseAbi } from 'viem'
import type { FactoryPlan } from './factoryPlan.ts'
import type { FactorySettings } from './settings.ts'

const abi = parseAbi([
  'function getMinDelay() view returns (uint256)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function owner() view returns (address)',
  'function implementation() view returns (address)',
  'function withdrawalDelay() view returns (uint256)',
  'function factory() view returns (address)',
  'function recoveryWallet() view returns (address)',
  'function station() view returns (address)',
  'function maxTransitFeeBps() view returns (uint256)',
])
/** `PROPOSER_ROLE` of OpenZeppelin's timelock. */
const PROPOSER_ROLE = '0xb09aa5aeb3702cfd50b6b62bc4532604938f21248a27a1d5ca736082b6819cc1'

/** A getter, and what it has to answer. */
type Asked = [
  contract: { address: Address },
  functionName: string,
  expected: unknown,
  args?: readonly unknown[],
]

/** In what the contracts of a chain differ from the plan, one line each. */
export async function verifyFactory(
  client: PublicClient,
  { timelock, factory, implementation }: FactoryPlan,
  settings: FactorySettings,
): Promise<string[]> {
  const codes = await Promise.all(
    [timelock, factory, implementation].map((planned) => codeFault(client, planned)),
  )
  const asked: Asked[] = [
    [timelock, 'getMinDelay', BigInt(settings.timelockDelaySeconds)],
    [timelock, 'hasRole', true, [PROPOSER_ROLE, settings.operator]],
    [factory, 'owner', timelock.address],
    [factory, 'implementation', implementation.address],
    [factory, 'withdrawalDelay', BigInt(settings.withdrawalDelaySeconds)],
    [implementation, 'factory', factory.address],
    [implementation, 'recoveryWallet', settings.recoveryWallet],
    [implementation, 'station', settings.station],
    [implementation, 'maxTransitFeeBps', BigInt(settings.maxTransitFeeBps)],
  ]
  const answers = await Promise.all(asked.map((one) => answerFault(client, one)))
  return [...codes, ...answers].filter((fault) => fault !== null)
}

async function answerFault(
  client: PublicClient,
  [{ address }, functionName, expected, args = []]: Asked,
): Promise<string | null> {
  // Cast, because viem's types need the arguments of one of the functions.
  const call = { address, abi, functionName, args } as never
  const answer: unknown = await client.readContract(call)
  if (String(answer).toLowerCase() === String(expected).toLowerCase()) return null
  return `${functionName}() of ${address} is ${String(answer)}; expected ${String(expected)}`
}

type Coded = { name: string; address: Address; template: Hex }

async function codeFault(
  client: PublicClient,
  { name, address, template }: Coded,
): Promise<string | null> {
  const code = (await client.getCode({ address })) ?? '0x'
  return isOfTemplate(code, template) ? null : `${name} at ${address} has other code than planned`
}

const WORD_BYTES = 32

/** A word of zeros in the template stands for an immutable value, which is asked for by its getter. */
function isOfTemplate(code: Hex, template: Hex): boolean {
  const found = hexToBytes(code)
  const planned = hexToBytes(template)
  if (found.length !== planned.length) return false
  for (let start = 0; start < planned.length; ) {
    const end = endOfZeros(planned, start)
    const isValue = end - start >= WORD_BYTES
    if (!isValue && planned[start] !== found[start]) return false
    start = isValue ? end : start + 1
  }
  return true
}

/** The first place from here on that is not zero. */
function endOfZeros(bytes: Uint8Array, start: number): number {
  let end = start
  while (bytes[end] === 0) end += 1
  return end
}
