import { type Hex, padHex } from 'viem'

/**
 * An organization's distributor code in the form of transit stations: 32 bytes, with zeros after a
 * shorter one. Depositors take it as it is.
 */
export function stationCode(code: Hex): Hex {
  return padHex(code, { dir: 'right', size: 32 })
}
