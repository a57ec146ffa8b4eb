import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  checksumAddress,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  toFunctionSelector,
} from 'viem'
import { oncePer } from '../cache/oncePer.ts'

/** Encodes calls of one function and decodes their results. */
export type FunctionCodec = {
  /** The calldata. Throws viem's error if the arguments have other types. */
  encode(args: readonly unknown[]): Hex
  /** The value, an array if there are several outputs; null if the bytes do not decode. */
  decode(data: Hex): unknown
}

/** ABIs are constants, so their selectors are computed once per process. */
const codecsOf = oncePer((_: Abi) => new Map<string, FunctionCodec>())

/** The codec of a function. Throws if its ABI does not have exactly one of this name, which is a bug. */
export function functionCodec(abi: Abi, name: string): FunctionCodec {
  const codecs = codecsOf(abi)
  const known = codecs.get(name)
  if (known) return known
  const [item, other] = abi.filter(
    (part): part is AbiFunction => part.type === 'function' && part.name === name,
  )
  if (!item || other)
    throw new Error(`Invariant(functionCodec): ${name} is not in the ABI exactly once`)
  const codec = createCodec(item)
  codecs.set(name, codec)
  return codec
}

function createCodec(item: AbiFunction): FunctionCodec {
  const selector = toFunctionSelector(item)
  const readers = item.outputs.map(wordReader)
  const words = readers.every((reader) => reader !== null) ? readers : null
  return {
    encode: (args) =>
      item.inputs.length === 0
        ? selector
        : `${selector}${encodeAbiParameters(item.inputs, args).slice(2)}`,
    decode: (data) => (words ? readWords(words, data) : decodeWithViem(item.outputs, data)),
  }
}

/** Decodes 64 hex digits to the value that viem gives, or to null if viem would throw. */
type WordReader = (word: string) => unknown

/**
 * The results of most getters are decoded without viem: its decoder takes ten times as long, and creates
 * an error with a stack when data does not decode. Null for the types that are left to viem.
 */
function wordReader({ type }: AbiParameter): WordReader | null {
  if (type === 'address') return (word) => checksumAddress(`0x${word.slice(24)}`)
  if (type === 'bool') return readBool
  if (!/^uint\d+$/.test(type)) return null
  return Number(type.slice(4)) > 48 ? (word) => BigInt(`0x${word}`) : readNumber
}

const WORD = 64
const TRUE = '1'.padStart(WORD, '0')
const FALSE = '0'.repeat(WORD)

function readBool(word: string): boolean | null {
  if (word === TRUE) return true
  return word === FALSE ? false : null
}

function readNumber(word: string): number | null {
  const number = Number.parseInt(word, 16)
  return Number.isSafeInteger(number) ? number : null
}

function readWords(readers: WordReader[], data: Hex): unknown {
  if (data.length < 2 + readers.length * WORD) return null
  const values = readers.map((read, index) => {
    const start = 2 + index * WORD
    return read(data.slice(start, start + WORD))
  })
  if (values.includes(null)) return null
  return values.length === 1 ? values[0] : values
}

function decodeWithViem(outputs: readonly AbiParameter[], data: Hex): unknown {
  if (data === '0x') return null
  try {
    const values: readonly unknown[] = decodeAbiParameters(outputs, data)
    return values.length === 1 ? values[0] : values
  } catch {
    return null
  }
}
