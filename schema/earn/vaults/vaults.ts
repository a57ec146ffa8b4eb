import { formatUnits, maxUint256 } from 'viem'
import type { AddressBookDeployment } from '../../../domain/addressBook/addressBook.ts'
import { baseOf } from '../../../domain/earn/vaults/baseOf.ts'
import { OLDEST_READ_SECONDS } from '../../../domain/earn/vaults/deploymentCache.ts'
import type { AssetState } from '../../../domain/earn/vaults/deploymentStateCache.ts'
import {
  type ListedVault,
  listVaults,
  type VaultPage,
  vaultQuery,
} from '../../../domain/earn/vaults/listVaults.ts'
import type { LiveDeployment } from '../../../domain/earn/vaults/liveDeployments.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { listCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { FeeRateRef } from './feeRate.ts'

type Slas = AddressBookDeployment['assets'][number]['withdrawalSlas']

const WithdrawalSlasRef = builder.objectRef<Slas>('WithdrawalSLAs').implement({
  description: 'Delays of a withdrawal. Each is a number of seconds with an `s`: `86400s`.',
  fields: fieldsOf(() => ({
    expectedDelay: duration('expectedDelay', 'The usual time from the request to its payment.'),
    expiryBuffer: duration(
      'expiryBuffer',
      'The extra time that is allowed beyond `expectedDelay`.',
    ),
    internalWithdrawalQueueDelaySLA: duration(
      'internalWithdrawalQueueDelaySLA',
      'The time in the queue that the operator aims at.',
    ),
    externalWithdrawalQueueDelaySLA: duration(
      'externalWithdrawalQueueDelaySLA',
      'The time in the queue that the operator promises.',
    ),
    internalAccountantRateUpdateDelaySLA: duration(
      'internalAccountantRateUpdateDelaySLA',
      'The time between two updates of the share price that the operator aims at.',
    ),
    externalAccountantRateUpdateSLA: duration(
      'externalAccountantRateUpdateSLA',
      'The time between two updates of the share price that the operator promises.',
    ),
  })),
})

function duration(key: keyof Slas, description: string) {
  return nonNull.string(description).by((slas: Slas) => `${slas[key]}s`)
}

type Size = { raw: bigint; decimals: number }

const SupplyCapRef = builder.objectRef<Size>('DepositSupplyCap').implement({
  description: 'The largest value of all shares after a deposit, in the base token.',
  fields: fieldsOf(() => ({
    raw: nonNull.amount('The amount in base units. 2^256-1 without a cap.'),
    formatted: nonNull.string('The amount in whole tokens.').by(formatted),
    decimals: nonNull.int('The decimals of the base token.'),
    hasCap: nonNull.boolean('Whether there is a cap.').by(({ raw }) => raw !== maxUint256),
  })),
})

const OrderSizeRef = builder.objectRef<Size>('WithdrawalOrderSize').implement({
  description: 'An amount of shares.',
  fields: fieldsOf(() => ({
    raw: nonNull.amount('The amount in base units.'),
    formatted: nonNull.string('The amount in whole shares.').by(formatted),
    decimals: nonNull.int('The decimals of the shares.'),
  })),
})

const DeploymentAssetRef = builder
  .objectRef<AssetState & { slas: Slas | undefined }>('VaultDeploymentAsset')
  .implement({
    description: 'How a vault takes and pays out one token.',
    fields: fieldsOf(() => ({
      assetAddress: nonNull.address('The address of the token.').from('address'),
      depositable: nonNull.boolean('Whether the token can be deposited.'),
      withdrawable: nonNull.boolean('Whether the token can be withdrawn.'),
      depositFees: nonNull
        .of(FeeRateRef, 'The rate of the deposit fee, without a flat fee.')
        .from('depositFeeBps'),
      withdrawFees: nonNull
        .of(FeeRateRef, 'The rate of the fee of a withdrawal request, without a flat fee.')
        .from('withdrawFeeBps'),
      withdrawalSLAs: nonNull
        .of(WithdrawalSlasRef, 'The delays that the operator aims at or promises.')
        .by(({ slas }) => slas ?? invariant()),
    })),
  })

const DeploymentRef = builder.objectRef<LiveDeployment>('VaultDeployment').implement({
  interfaces: [ChainRowRef],
  description: 'One vault on one chain.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain id.'),
    boringVaultAddress: nonNull
      .address(
        'The vault, which is also the token of its shares. Everywhere else it is called `vaultAddress`.',
      )
      .from('vault'),
    depositorAddress: nonNull
      .address(
        'The depositor: deposits are sent to it, and it is the spender of the deposited token.',
      )
      .from('depositor'),
    withdrawQueueAddress: nonNull
      .address(
        'The withdraw queue: withdrawal requests are sent to it, and it is the spender of the shares.',
      )
      .from('queue'),
    requiresKyt: nonNull
      .boolean(
        'Whether a deposit needs an attestation, a signed KYT statement. This service obtains it.',
      )
      .by(({ state }) => state.requiresKyt),
    baseTokenAddress: nonNull
      .address('The base token: the unit of account of the vault.')
      .from('baseToken'),
    accountantAddress: nonNull
      .address('The accountant: it keeps the price of a share.')
      .from('accountant'),
    tellerAddress: nonNull.address('The teller: it mints and burns shares.').from('teller'),
    depositFeeAddress: nullable
      .address('The fee module of deposits. Null without one.')
      .by(({ state }) => state.depositFeeModule),
    withdrawFeeAddress: nullable
      .address('The fee module of withdrawal requests. Null without one.')
      .by(({ state }) => state.withdrawFeeModule),
    inDeprecation: nonNull.boolean(
      'Whether the deployment is deprecated: it takes no deposits any more.',
    ),
    depositSupplyCap: nonNull
      .of(SupplyCapRef, 'The supply cap of the deployment.')
      .by(({ state, ...deployment }, context) => ({
        raw: state.supplyCapInBase,
        decimals: baseOf(context, deployment).decimals,
      })),
    minimumWithdrawalOrderSize: nonNull
      .of(OrderSizeRef, 'The smallest `shareAmount` of a withdrawal.')
      .by(({ state }) => ({ raw: state.minimumOrderSize, decimals: state.decimals })),
    assets: nonNull
      .of([DeploymentAssetRef], 'Every token that the address book lists for the deployment.', {
        complexity: listCost(4),
      })
      .by(({ state, assets }) =>
        state.assets.map((asset, index) => ({ ...asset, slas: assets[index]?.withdrawalSlas })),
      ),
  })),
})

const VaultRef = builder.objectRef<ListedVault>('Vault').implement({
  description: 'A vault and its deployments on all chains.',
  fields: fieldsOf(() => ({
    name: nonNull.string('The name of the vault.'),
    deployments: nonNull.of(
      [DeploymentRef],
      'The deployments that the filter selects, sorted by chain.',
      { complexity: listCost(3) },
    ),
  })),
})

const VaultPageRef = pageRef<VaultPage>('VaultPage', {
  description: 'A page of vaults, sorted by name.',
  fields: { vaults: nonNull.of([VaultRef], 'The vaults.') },
  tokens: {
    description:
      'The assets and the base tokens of this page. A base that is not a token has `token_standard` NONE.',
    of: ({ vaults }) =>
      vaults
        .flatMap(({ deployments }) => deployments)
        .flatMap(({ chainId, state }) => state.assets.map(({ address }) => ({ chainId, address }))),
    known: ({ vaults }, context) =>
      vaults
        .flatMap(({ deployments }) => deployments)
        .map((deployment) => baseOf(context, deployment)),
  },
})

listField('vaults', {
  type: VaultPageRef,
  reads: 'chains',
  description: `The vaults and their deployments, sorted by name. Values from the chains were read at most ${OLDEST_READ_SECONDS} s before the answer. Older ones are \`stale\`.`,
  query: vaultQuery,
  list: listVaults,
})

function formatted({ raw, decimals }: Size): string {
  return formatUnits(raw, decimals)
}

function invariant(): never {
  throw new Error('Invariant(vaults): the states are of the assets of the address book')
}
