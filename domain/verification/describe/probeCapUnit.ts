import { type Address, getAbiItem, type PublicClient, toFunctionSelector } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAbi, depositorBAbi } from '../../../abis/depositor.ts'
import type { CAP_UNITS } from '../../addressBook/vaultFormat.ts'
import { tryRead } from '../../chain/gatheredReads.ts'

const RATE = toFunctionSelector(getAbiItem({ abi: accountantAbi, name: 'getRate' })).slice(2)

/**
 * The unit of a depositor's supply cap, or null without a cap. One that limits the value asks the
 * accountant for the rate, so the function's selector is in its bytecode.
 */
export async function probeCapUnit(
  client: PublicClient,
  address: Address,
): Promise<(typeof CAP_UNITS)[number] | null> {
  const [inBase, bySupplyCap, code = '0x'] = await Promise.all([
    tryRead(client, { address, abi: depositorAbi, functionName: 'supplyCapInBase' }),
    tryRead(client, { address, abi: depositorBAbi, functionName: 'supplyCap' }),
    client.getCode({ address }),
  ])
  if (inBase !== null) return 'value'
  if (bySupplyCap === null) return null
  return code.includes(RATE) ? 'value' : 'shares'
}
