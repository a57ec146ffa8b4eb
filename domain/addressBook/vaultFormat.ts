import { z } from 'zod'
import { ACCOUNTANT_GENERATIONS } from '../../abis/accountant.ts'
import { DEPOSITOR_GENERATIONS } from '../../abis/depositor.ts'
import { TELLER_GENERATIONS } from '../../abis/teller.ts'
import { QUEUE_GENERATIONS } from '../../abis/withdrawQueue.ts'
import { addressField, blockNumberField, sourceField } from './fields.ts'

const YIELD_TYPES = ['CORE', 'PRIME', 'TREASURY', 'TBILL', 'FRONTIER', 'LENDING'] as const

const period = {
  fromBlock: blockNumberField.describe(
    'the block in which it was created, from which its logs are read',
  ),
  toBlock: z
    .union([blockNumberField, z.literal('unknown')])
    .optional()
    .describe('the last block in which it was in use; absent for the one in use now'),
}
const version = <Generation extends z.ZodType>(generation: Generation) =>
  z.strictObject({ address: addressField, generation, ...period })
const versions = <Generation extends z.ZodType>(generation: Generation) =>
  z.array(version(generation))

/** `shares`: the supply itself. `value`: the supply at the accountant's rate, in base. */
export const CAP_UNITS = ['shares', 'value'] as const

const seconds = z.number().int().nonnegative()

const vaultAsset = z.strictObject({
  address: addressField,
  depositable: z.boolean().default(true).describe('false for an asset that is only paid out'),
  withdrawalSlas: z
    .strictObject({
      expectedDelay: seconds,
      expiryBuffer: seconds,
      internalWithdrawalQueueDelaySLA: seconds,
      externalWithdrawalQueueDelaySLA: seconds,
      internalAccountantRateUpdateDelaySLA: seconds,
      externalAccountantRateUpdateSLA: seconds,
    })
    .describe("the operator's promises, in seconds"),
})

const deployment = z.strictObject({
  chainId: z.number().int().positive(),
  vault: z
    .strictObject({
      address: addressField,
      startBlock: blockNumberField,
      decimals: z
        .number()
        .int()
        .min(0)
        .max(77)
        .optional()
        .describe('the decimals of the shares, if they are not those of the base'),
    })
    .describe('the share token'),
  manager: addressField.optional(),
  rolesAuthority: addressField.optional().describe("the vault's `authority()`"),
  baseToken: addressField.describe("the accountant's base"),
  baseTokenStandIn: z
    .strictObject({
      symbol: z.string().min(1),
      decimals: z.number().int().min(0).max(77),
      coinGeckoId: z.string().min(1).optional(),
    })
    .optional()
    .describe('only if the base is a contract that is not a token'),
  tellers: versions(z.enum(TELLER_GENERATIONS)),
  accountants: versions(z.enum(ACCOUNTANT_GENERATIONS)),
  depositors: z.array(
    version(z.enum(DEPOSITOR_GENERATIONS)).extend({
      capIn: z
        .enum(CAP_UNITS)
        .optional()
        .describe(
          'what the supply cap limits: required of generation B; all later ones have value',
        ),
    }),
  ),
  queues: versions(z.enum(QUEUE_GENERATIONS)),
  feeModules: z
    .array(z.strictObject({ address: addressField, fromBlock: blockNumberField }))
    .default([])
    .describe('fee modules whose changes are kept; the current fee is always asked of the chain'),
  assets: z.array(vaultAsset),
  inDeprecation: z.boolean().default(false),
  source: sourceField,
})

/** A vault by its name, with a deployment per chain. */
export const vaultFormat = z.strictObject({
  name: z.string().min(1),
  yieldType: z.enum(YIELD_TYPES),
  deployments: z.array(deployment).min(1),
})

type Book = {
  vaults: z.output<typeof vaultFormat>[]
  chains: { id: number }[]
  tokens: { chainId: number; address: string }[]
}

/** Reports, by `complain`, contradictions among the vaults or with the rest of the book. */
export function checkVaults(
  { vaults, chains, tokens }: Book,
  complain: (path: (string | number)[], message: string) => void,
): void {
  const hasChain = new Set(chains.map(({ id }) => id))
  const hasToken = new Set(tokens.map(({ chainId, address }) => `${chainId}:${address}`))
  if (new Set(vaults.map(({ name }) => name)).size !== vaults.length)
    complain(['vaults'], 'a name appears twice')
  const listed = vaults.flatMap(({ deployments }, vaultIndex) =>
    deployments.map((entry, index) => ({
      entry,
      at: ['vaults', vaultIndex, 'deployments', index],
    })),
  )
  const places = listed.map(({ entry }) => `${entry.chainId}:${entry.vault.address}`)
  if (new Set(places).size !== places.length)
    complain(['vaults'], 'a vault appears twice on one chain')
  for (const { entry, at } of listed) {
    if (!hasChain.has(entry.chainId)) complain([...at, 'chainId'], 'no such chain')
    const isToken = (candidate: string) => hasToken.has(`${entry.chainId}:${candidate}`)
    if (!isToken(entry.baseToken) && !entry.baseTokenStandIn)
      complain([...at, 'baseToken'], 'neither among the tokens of the chain nor a stand-in')
    for (const [index, asset] of entry.assets.entries())
      if (!isToken(asset.address))
        complain([...at, 'assets', index, 'address'], 'not among the tokens of the chain')
    if (new Set(entry.assets.map((asset) => asset.address)).size !== entry.assets.length)
      complain([...at, 'assets'], 'an asset appears twice')
    for (const [index, { generation, capIn }] of entry.depositors.entries()) {
      const place = [...at, 'depositors', index, 'capIn']
      if (generation === 'B' && !capIn)
        complain(place, "generation B needs 'shares' or 'value': its getters are the same for both")
      if (capIn === 'shares' && (generation === 'C' || generation === 'D'))
        complain(place, `a depositor of generation ${generation} has its cap in value`)
    }
    for (const kind of VAULT_CONTRACTS) {
      const wrong = misplacedVersion(entry[kind])
      if (wrong !== null) complain([...at, kind, wrong], 'expected one after the other in time')
    }
  }
}

/** The contracts of a deployment that may be replaced during its life. */
export const VAULT_CONTRACTS = ['tellers', 'accountants', 'depositors', 'queues'] as const

/**
 * The index of the first version that does not come after the one before it; null if all do. Only the
 * last one may have no end.
 */
function misplacedVersion(
  entries: { fromBlock: number; toBlock?: number | 'unknown' | undefined }[],
): number | null {
  const found = entries.findIndex(({ fromBlock, toBlock }, index) => {
    const before = entries[index - 1]?.toBlock
    const isEarly = typeof before === 'number' && fromBlock <= before
    const isBackwards = typeof toBlock === 'number' && toBlock < fromBlock
    return isEarly || isBackwards || (toBlock === undefined && index < entries.length - 1)
  })
  return found === -1 ? null : found
}
