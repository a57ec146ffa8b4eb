import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  checksumAddress,
  encodeFunctionData,
  type Hex,
  parseAbi,
} from 'viem'

/** An argument on the wire: integers are decimal strings, structs objects by their members' names. */
export type CallArgument = string | boolean | CallArgument[] | { [member: string]: CallArgument }

/** A transaction for its sender to sign; `value` in wei. */
export type PreparedCall = {
  to: Address
  value: bigint
  data: Hex
  /** Human-readable fragments: the structs first, the function last. */
  abi: readonly string[]
  functionName: string
  args: CallArgument[]
}

type CallDescription = {
  to: Address
  value: bigint
  fragments: readonly string[]
  functionName: string
  args: readonly unknown[]
}

const parsed = new WeakMap<readonly string[], Abi>()

/** Calldata with what it was made of, so that encoding `abi`, `functionName` and `args` again gives `data`. */
export function prepareCall(description: CallDescription): PreparedCall {
  const { to, value, fragments, functionName, args } = description
  const abi = abiOf(fragments)
  const inputs = (abi.at(-1) as AbiFunction).inputs
  return {
    ...{ to, value, functionName },
    data: encodeFunctionData({ abi, functionName, args: [...args] }),
    abi: fragments,
    args: inputs.map((input, index) => toWire(input, args[index])),
  }
}

/** Parsed once: fragments are constants. */
function abiOf(fragments: readonly string[]): Abi {
  const known = parsed.get(fragments)
  if (known) return known
  const abi = parseAbi(fragments as string[]) as Abi
  parsed.set(fragments, abi)
  return abi
}

function toWire(parameter: AbiParameter, value: unknown): CallArgument {
  const array = /^(.*)\[\d*\]$/.exec(parameter.type)
  if (array)
    return (value as unknown[]).map((item) =>
      toWire({ ...parameter, type: array[1] ?? '' } as AbiParameter, item),
    )
  if ('components' in parameter) {
    const members = value as Record<string, unknown>
    return Object.fromEntries(
      parameter.components.map((member) => [
        member.name,
        toWire(member, members[String(member.name)]),
      ]),
    )
  }
  if (typeof value === 'boolean') return value
  if (parameter.type === 'address') return checksumAddress(value as Address)
  return String(value)
}
