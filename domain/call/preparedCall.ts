import type { AbiParameter, Address, Hex } from 'viem'
import { encodePrepared, preparedFunction } from '../../abis/encodePrepared.ts'
import { PREPARED_FUNCTIONS, type PreparedFunction } from '../../abis/preparedFunctions.ts'
import { checksummed } from '../token/checksummed.ts'

/** A JSON argument: integers are decimal strings, structs are objects by member name. */
export type CallArgument = string | boolean | CallArgument[] | { [member: string]: CallArgument }

/** A transaction for its sender to sign; `value` in wei. */
export type PreparedCall = Readonly<{
  to: Address
  value: bigint
  data: Hex
  /** Human-readable fragments: the structs first, the function last. */
  abi: readonly string[]
  functionName: string
  args: CallArgument[]
}>

/** A warning about a prepared transaction: a check could not be made. The transaction may still succeed. */
export type CallWarning = { reason: 'SIMULATION_UNAVAILABLE'; message: string }

/** A transaction, and what is known of its outcome now. */
export type PreviewedCall = {
  transaction: PreparedCall
  preview: CallPreview
  /** The shares that are left. Only a withdrawal has it. */
  remainder?: ShareRemainder
  warnings: CallWarning[]
}

/** The shares that an account keeps after a withdrawal, in base units. */
export type ShareRemainder = {
  shares: bigint
  /** Whether they are enough for a withdrawal of their own now. */
  isWithdrawable: boolean
}

/**
 * The outcome of a deposit or a withdrawal by the contracts' arithmetic at the block that was read, in base units.
 * A deposit has the shares, a withdrawal the assets; the other two are null.
 */
export type CallPreview = {
  expectedShares: bigint | null
  expectedAssets: bigint | null
  /** The least that the call itself accepts; null where it requires nothing. */
  minimumShares: bigint | null
  minimumAssets: bigint | null
  /** Null where the contracts name none now. */
  fee: { amount: bigint; asset: Address } | null
  /** Whole units of the base per whole share; null where the accountant has none. */
  exchangeRateToBase: string | null
  /** When the first part of the call expires; null if none does. */
  validUntil: Date | null
  /** Null where it cannot be estimated. */
  gasLimit: bigint | null
}

type Destination = { to: Address; value: bigint }

/** Calldata with its parts: encoding the fragments, the name and the arguments again gives the same calldata. */
export function prepareCall(
  { to, value }: Destination,
  name: PreparedFunction,
  args: readonly unknown[],
): PreparedCall {
  const { inputs, name: functionName } = preparedFunction(name)
  return Object.freeze({
    to,
    value,
    data: encodePrepared(name, args),
    abi: PREPARED_FUNCTIONS[name],
    functionName,
    args: inputs.map((input, index) => toWire(input, args[index])),
  })
}

/** A decoded value as a JSON argument. */
export function toWire(parameter: AbiParameter, value: unknown): CallArgument {
  const array = /^(.*)\[\d*\]$/.exec(parameter.type)
  if (array) {
    const item = { ...parameter, type: array[1] ?? '' } as AbiParameter
    return (value as unknown[]).map((one) => toWire(item, one)) // The parameter is a list.
  }
  if ('components' in parameter) {
    const members = value as Record<string, unknown>
    return Object.fromEntries(
      parameter.components.map((member) => {
        const name = String(member.name)
        return [name, toWire(member, members[name])]
      }),
    )
  }
  if (typeof value === 'boolean') return value
  if (parameter.type === 'address') return checksummed(value as Address)
  return String(value)
}
