import { OLDEST_READ_SECONDS } from '../../../domain/earn/vaults/deploymentCache.ts'
import {
  listVaultCompositions,
  type VaultComponent,
  type VaultComposition,
  type VaultCompositionPage,
  vaultCompositionQuery,
} from '../../../domain/earn/vaults/listVaultCompositions.ts'
import { checksummed } from '../../../domain/token/checksummed.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { enumType } from '../../enumType.ts'
import { listCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'

const PositionKindRef = enumType('PositionKind', {
  description: 'Whether the vault owns or owes a component.',
  values: { ASSET: 'An asset that the vault owns.' },
})
const InstrumentTypeRef = enumType('InstrumentType', {
  description: 'The kind of a component.',
  values: { ERC20: 'An ERC-20 token.' },
})
const PositionRefTypeRef = enumType('PositionRefType', {
  description: 'The kind of a reference to a position.',
  values: { TOKEN: 'A token on a chain.' },
})

const PositionRefRef = builder.objectRef<VaultComponent>('PositionRef').implement({
  description: 'The identity of a position.',
  fields: fieldsOf(() => ({
    type: nonNull.of(PositionRefTypeRef, 'The kind of the reference.').by(() => 'TOKEN' as const),
    id: nonNull
      .string('The id; for a token `<chainId>:<address>`.')
      .by(({ chainId, assetAddress }) => `${chainId}:${checksummed(assetAddress)}`),
  })),
})

const VaultComponentRef = builder.objectRef<VaultComponent>('VaultComponent').implement({
  description: 'One position of a vault.',
  fields: fieldsOf(() => ({
    assetAddress: nonNull.address('The address of the token.'),
    amount: nonNull.string("The vault's balance in whole tokens, with all decimals of the token."),
    value: nonNull.string(
      'The value of the balance in whole base tokens, with all their decimals.',
    ),
    valueAsset: nonNull.string('The symbol of the base token.'),
    weight: nonNull.string(
      'The fraction of the value of all components, with six decimals. The weights of a vault sum to exactly 1.',
    ),
    positionKind: nonNull
      .of(PositionKindRef, 'Whether the vault owns or owes it.')
      .by(() => 'ASSET' as const),
    instrumentType: nonNull
      .of(InstrumentTypeRef, 'The kind of the component.')
      .by(() => 'ERC20' as const),
    positionRef: nonNull
      .of(PositionRefRef, 'The identity of the position.')
      .by((component) => component),
  })),
})

const VaultCompositionRef = builder.objectRef<VaultComposition>('VaultComposition').implement({
  interfaces: [ChainRowRef],
  description: 'The positions of a vault on one chain.',
  fields: fieldsOf(() => ({
    vaultAddress: nonNull.address('The address of the vault.'),
    chainId: nonNull.int('The chain id.'),
    timestamp: nonNull.dateTime('The time of the block at which it was read.'),
    components: nonNull.of(
      [VaultComponentRef],
      'The positions, the greatest value first. Empty for an empty vault.',
      { complexity: listCost(4) },
    ),
  })),
})

const VaultCompositionPageRef = pageRef<VaultCompositionPage>('VaultCompositionPage', {
  description: 'A page of compositions, sorted by chain and vault.',
  fields: { vaultCompositions: nonNull.of([VaultCompositionRef], 'The compositions.') },
  tokens: {
    of: ({ vaultCompositions }) =>
      vaultCompositions
        .flatMap(({ components }) => components)
        .map(({ chainId, assetAddress: address }) => ({ chainId, address })),
  },
})

listField('vaultCompositions', {
  type: VaultCompositionPageRef,
  reads: 'chains',
  description: `Each vault's balances of the tokens that the address book lists for it, valued by its accountant. The values were read from the chains at most ${OLDEST_READ_SECONDS} s before the answer. Older ones are \`stale\`.`,
  query: vaultCompositionQuery,
  list: listVaultCompositions,
})
