import fc from 'fast-check'
import { type AbiEvent, type AbiParameter, getAddress } from 'viem'
import { arbitraryBytes, arbitraryUint } from './arbitraryCalldata.ts'

/** Any values of an event's parameters, by name. */
export function arbitraryEventArgs({ inputs }: AbiEvent): fc.Arbitrary<Record<string, unknown>> {
  return recordOf(inputs)
}

function recordOf(parameters: readonly AbiParameter[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(parameters.map((parameter) => [parameter.name ?? '', valuesOf(parameter)])),
  )
}

function valuesOf(parameter: AbiParameter): fc.Arbitrary<unknown> {
  if ('components' in parameter) return recordOf(parameter.components)
  const { type } = parameter
  if (type === 'address') return arbitraryBytes(20).map((bytes) => getAddress(bytes))
  if (type === 'bool') return fc.boolean()
  if (type === 'string') return fc.string()
  if (type === 'bytes') return fc.nat(70).chain(arbitraryBytes)
  const [, bits] = /^uint(\d+)$/.exec(type) ?? []
  // viem gives integers of up to 48 bits as numbers.
  if (bits)
    return arbitraryUint(BigInt(bits)).map((value) => (Number(bits) <= 48 ? Number(value) : value))
  const [, length] = /^bytes(\d+)$/.exec(type) ?? []
  if (length) return arbitraryBytes(Number(length))
  throw new Error(`Invariant(arbitraryEvent): no values of ${type}`)
}
