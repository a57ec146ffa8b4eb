import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { DEVNET_ACTORS, DEVNET_USERS } from '../../devnet/accounts.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import type { DevnetClient } from '../../devnet/world.ts'
import { asOwner, callAs } from './earn.ts'

/** Sends a user's tokens to a vault without minting shares. */
export async function sendTokens(
  client: DevnetClient,
  { vault }: VaultDeployment,
  [token, amount]: [token: Address, amount: bigint],
) {
  const [user] = DEVNET_USERS
  if (!user) throw new Error('a user')
  const call = ['function transfer(address, uint256)', vault, amount] as const
  await callAs({ client }, user, { address: token, call: [...call] })
}

/** Moves tokens out of a vault, as its strategist does. */
export async function moveTokens(
  client: DevnetClient,
  { vault }: VaultDeployment,
  [token, amount]: [token: Address, amount: bigint],
) {
  const to = DEVNET_ACTORS.executor.address
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await callAs({ client }, DEVNET_ACTORS.executor, {
    address: vault,
    call: ['function manage(address[], bytes[], uint256[])', [token], [data], [0n]],
  })
}

/** Sets the value of a share, changed by at most one percent. */
export async function setRate(client: DevnetClient, { current }: VaultDeployment, rate: bigint) {
  await client.increaseTime({ seconds: 10 })
  await asOwner({ client }, current.accountant, ['function updateExchangeRate(uint96)', rate])
}

/** Sets the source of an accountant's rate of an asset. */
export async function setRateSource(
  client: DevnetClient,
  { current }: VaultDeployment,
  [asset, isPegged, provider]: [asset: Address, isPegged: boolean, provider: Address],
) {
  await asOwner({ client }, current.accountant, [
    ...([
      'function setRateProviderData(address, bool, address)',
      asset,
      isPegged,
      provider,
    ] as const),
  ])
}
