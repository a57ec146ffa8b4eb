import { type Address, erc20Abi, type PublicClient } from 'viem'
import { accountantAbi } from '../../abis/accountant.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { readSupport } from '../earn/vaults/contractReads.ts'
import type { DeploymentInPlace } from './deploymentInPlace.ts'
import { readTellerAssets } from './describe/tellerAssets.ts'
import { contradiction, type Finding, note } from './finding.ts'
import type { VerificationContext } from './verificationContext.ts'

/** Checks that the book has exactly the assets that the teller takes, and that each has a rate. */
export async function verifyAssets(
  context: VerificationContext,
  placed: DeploymentInPlace,
): Promise<Finding[]> {
  const found = await Promise.all([verifyListed(context, placed), findMissing(context, placed)])
  return found.flat()
}

/**
 * Checks the assets of the book. An asset without rate provider data has no rate, and every deposit of
 * it reverts.
 */
async function verifyListed(
  { chains }: VerificationContext,
  { deployment, place, inUse }: DeploymentInPlace,
): Promise<Finding[]> {
  const { chainId, assets } = deployment
  const { tellers: teller, accountants: accountant } = inUse
  const found = await chains.read(chainId, (client) =>
    Promise.all(
      assets.map(async ({ address, depositable }, index): Promise<Finding[]> => {
        const at = `${place}.assets.${index}`
        const support = teller && (await readSupport(client, teller.address, address))
        if (teller && support && !support.depositable && !support.withdrawable)
          return [
            contradiction(
              `${at}.address`,
              `the teller ${teller.address} on chain ${chainId} takes neither deposits nor withdrawals of ${address}`,
            ),
          ]
        // An operator may close an asset for some time, so this is no contradiction.
        const closed =
          support && support.depositable !== depositable
            ? [
                note(
                  `${at}.depositable`,
                  `the book has ${depositable}, the teller ${teller.address} on chain ${chainId} takes ${support.depositable ? '' : 'no '}deposits of ${address}`,
                ),
              ]
            : []
        if (!accountant || (await hasRate(client, accountant.address, address))) return closed
        return [
          ...closed,
          contradiction(
            `${at}.address`,
            `the accountant ${accountant.address} on chain ${chainId} has no rate for ${address}`,
          ),
        ]
      }),
    ),
  )
  return found.flat()
}

async function hasRate(client: PublicClient, accountant: Address, asset: Address) {
  const contract = { address: accountant, abi: accountantAbi } as const
  const rate = await tryRead(client, {
    ...contract,
    functionName: 'getRateInQuote',
    args: [asset],
  })
  return rate !== null
}

async function findMissing(
  { chains }: VerificationContext,
  { deployment, place, inUse }: DeploymentInPlace,
): Promise<Finding[]> {
  const { chainId, assets } = deployment
  const teller = inUse.tellers
  const entry = deployment.tellers.at(-1)
  if (!teller || !entry) return []
  // A `fromBlock` that is too late would hide earlier assets.
  const fromBlock = BigInt(Math.min(entry.fromBlock, deployment.vault.startBlock))
  const taken = await readTellerAssets(chains, { chainId, teller: teller.address, fromBlock })
  const missing = taken
    .map(({ address }) => address)
    .filter((asset) => !assets.some(({ address }) => address === asset))
  const symbols = await chains.read(chainId, (client) =>
    Promise.all(
      missing.map((address) => tryRead(client, { address, abi: erc20Abi, functionName: 'symbol' })),
    ),
  )
  return missing.map((asset, index) => {
    const named = symbols[index] ? `${asset}, ${symbols[index]},` : asset
    return contradiction(
      `${place}.assets`,
      `the teller ${teller.address} on chain ${chainId} takes ${named} which is not listed`,
    )
  })
}
