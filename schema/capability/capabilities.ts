import type { Capability, ClosedReason } from '../../domain/capability/capability.ts'
import {
  type CapabilityPage,
  capabilityQuery,
  listCapabilities,
  type RouteCapability,
  type VaultCapability,
} from '../../domain/capability/listCapabilities.ts'
import { optional } from '../arguments.ts'
import { builder } from '../builder.ts'
import { listCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { pageArguments } from '../listArguments.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'

export const ClosedReasonRef = builder.objectRef<ClosedReason>('ClosedReason').implement({
  description: 'Why something is closed now, as the call itself would say it.',
  fields: fieldsOf(() => ({
    reason: nonNull.string('The reason of the error that the call would answer (docs/errors.md).'),
    message: nonNull.string('The reason in words, for people.'),
    metadata: nonNull.of('ReasonMetadata', 'The metadata of that error. Every value is a string.'),
    since: nullable.dateTime('When it was closed. Null where that is not known.'),
  })),
})

const CapabilityRef = builder.objectRef<Capability>('Capability').implement({
  description: 'Whether a call would be taken now, for some amount.',
  fields: fieldsOf(() => ({
    isOpen: nonNull.boolean('Whether it would be taken.'),
    reasons: nonNull.of([ClosedReasonRef], 'Why not. Empty while it is open.', {
      complexity: listCost(1),
    }),
  })),
})

const RouteCapabilityRef = builder.objectRef<RouteCapability>('RouteCapability').implement({
  description: 'Whether the quotes of a route are given now.',
  fields: fieldsOf(() => ({
    sourceChainId: nonNull.int('The chain of the offer.'),
    destinationChainId: nonNull.int('The chain on which the receiver is paid.'),
    destinationEid: nonNull.int('The LayerZero endpoint id of the destination.'),
    offerAsset: nonNull.address('The token offered.'),
    wantAsset: nonNull.address('The token paid out.'),
    isOpen: nonNull.boolean('Whether quotes are given.'),
    reasons: nonNull.of([ClosedReasonRef], 'Why not. Empty while the route is open.', {
      complexity: listCost(1),
    }),
  })),
})

const VaultCapabilityRef = builder.objectRef<VaultCapability>('VaultCapability').implement({
  description: 'What a deployment of a vault lets users do now, with at least one of its assets.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain of the deployment.'),
    vaultAddress: nonNull.address('The address of the vault.'),
    deposit: nonNull.of(CapabilityRef, 'Deposits.'),
    withdraw: nonNull.of(CapabilityRef, 'Withdrawals.'),
    cancel: nonNull.of(
      CapabilityRef,
      'Cancellations of pending requests in the queue that is in use.',
    ),
    smartDeposit: nonNull.of(
      CapabilityRef,
      'New smart deposit addresses. What is paid to an address is deposited while `deposit` is open.',
    ),
  })),
})

const CapabilityPageRef = pageRef<CapabilityPage>('CapabilityPage', {
  description: 'A page of routes and vaults: all routes come before the vaults.',
  fields: {
    transitRoutes: nonNull.of([RouteCapabilityRef], 'The routes, by chains and assets.'),
    vaults: nonNull.of([VaultCapabilityRef], 'The deployments, by chain and vault.'),
  },
})

listField('capabilities', {
  type: CapabilityPageRef,
  reads: 'calls',
  description:
    'Every Transit route and vault deployment of this service, the closed ones too: whether quotes, deposits, withdrawals, cancellations and smart deposit addresses are given now, and why not. The answers come from the checks of the calls themselves, for an amount that no limit refuses.',
  args: {
    chainId: optional.chainId('Only vaults on this chain, and routes from it or to it.'),
    vaultAddress: optional.address('Only this vault, and no routes.'),
    userAddress: optional.address(
      'The account that would deposit, withdraw and be paid: also what is closed for it alone.',
    ),
    ...pageArguments(),
  },
  query: capabilityQuery,
  list: listCapabilities,
})
