import type { Capability, ClosedReason } from '../../domain/capability/capability.ts'
import {
  type CapabilityPage,
  type CapabilityParams,
  capabilityQuery,
  listCapabilities,
  type RouteCapability,
  type VaultCapability,
} from '../../domain/capability/listCapabilities.ts'
import { chainIdParam } from '../../domain/chain/chainId.ts'
import { arg } from '../arg.ts'
import { checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { listCost, pageCost } from '../fieldCost.ts'
import { listParams, pageArguments } from '../listArguments.ts'
import { pageRef } from '../page.ts'

export const ClosedReasonRef = builder.objectRef<ClosedReason>('ClosedReason').implement({
  description: 'Why something is closed now, as the call itself would say it.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      description: 'The reason of the error that the call would answer (docs/errors.md).',
    }),
    message: t.exposeString('message', { description: 'The reason in words, for people.' }),
    metadata: t.expose('metadata', {
      type: 'ReasonMetadata',
      description: 'The metadata of that error. Every value is a string.',
    }),
    since: t.expose('since', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was closed. Null where that is not known.',
    }),
  }),
})

const CapabilityRef = builder.objectRef<Capability>('Capability').implement({
  description: 'Whether a call would be taken now, for some amount.',
  fields: (t) => ({
    isOpen: t.exposeBoolean('isOpen', { description: 'Whether it would be taken.' }),
    reasons: t.expose('reasons', {
      type: [ClosedReasonRef],
      complexity: listCost(1),
      description: 'Why not. Empty while it is open.',
    }),
  }),
})

const RouteCapabilityRef = builder.objectRef<RouteCapability>('RouteCapability').implement({
  description: 'Whether the quotes of a route are given now.',
  fields: (t) => ({
    sourceChainId: t.exposeInt('sourceChainId', { description: 'The chain of the offer.' }),
    destinationChainId: t.exposeInt('destinationChainId', {
      description: 'The chain on which the receiver is paid.',
    }),
    destinationEid: t.exposeInt('destinationEid', {
      description: 'The LayerZero endpoint id of the destination.',
    }),
    offerAsset: t.expose('offerAsset', { type: 'Address', description: 'The token offered.' }),
    wantAsset: t.expose('wantAsset', { type: 'Address', description: 'The token paid out.' }),
    isOpen: t.exposeBoolean('isOpen', { description: 'Whether quotes are given.' }),
    reasons: t.expose('reasons', {
      type: [ClosedReasonRef],
      complexity: listCost(1),
      description: 'Why not. Empty while the route is open.',
    }),
  }),
})

const VaultCapabilityRef = builder.objectRef<VaultCapability>('VaultCapability').implement({
  description: 'What a deployment of a vault lets users do now, with at least one of its assets.',
  fields: (t) => ({
    chainId: t.exposeInt('chainId', { description: 'The chain of the deployment.' }),
    vaultAddress: t.expose('vaultAddress', {
      type: 'Address',
      description: 'The address of the vault.',
    }),
    deposit: t.expose('deposit', { type: CapabilityRef, description: 'Deposits.' }),
    withdraw: t.expose('withdraw', { type: CapabilityRef, description: 'Withdrawals.' }),
    cancel: t.expose('cancel', {
      type: CapabilityRef,
      description: 'Cancellations of pending requests in the queue that is in use.',
    }),
    smartDeposit: t.expose('smartDeposit', {
      type: CapabilityRef,
      description:
        'New smart deposit addresses. What is paid to an address is deposited while `deposit` is open.',
    }),
  }),
})

const CapabilityPageRef = pageRef<CapabilityPage>('CapabilityPage', {
  description: 'A page of routes and vaults: all routes come before the vaults.',
  fields: (t) => ({
    transitRoutes: t.expose('transitRoutes', {
      type: [RouteCapabilityRef],
      description: 'The routes, by chains and assets.',
    }),
    vaults: t.expose('vaults', {
      type: [VaultCapabilityRef],
      description: 'The deployments, by chain and vault.',
    }),
  }),
})

type Given = Parameters<typeof listParams>[0] & {
  chainId?: number | null | undefined
  vaultAddress?: `0x${string}` | null | undefined
  userAddress?: `0x${string}` | null | undefined
}

function capabilityParams({ chainId, vaultAddress, userAddress, ...list }: Given) {
  return {
    ...listParams(list),
    chainId: chainId ?? undefined,
    vaultAddress: vaultAddress ?? undefined,
    userAddress: userAddress ?? undefined,
  } satisfies CapabilityParams
}

queryField('capabilities', {
  type: CapabilityPageRef,
  complexity: pageCost('calls'),
  description:
    'Every Transit route and vault deployment of this service, the closed ones too: whether quotes, deposits, withdrawals, cancellations and smart deposit addresses are given now, and why not. The answers come from the checks of the calls themselves, for an amount that no limit refuses.',
  args: {
    chainId: arg.int({
      description: 'Only vaults on this chain, and routes from it or to it.',
      extensions: { value: chainIdParam },
    }),
    vaultAddress: arg.address({ description: 'Only this vault, and no routes.' }),
    userAddress: arg.address({
      description:
        'The account that would deposit, withdraw and be paid: also what is closed for it alone.',
    }),
    ...pageArguments(),
  },
  extensions: checkedByQuery<Given>((context, given) =>
    capabilityQuery(context, capabilityParams(given)),
  ),
  resolve: (_, given, context) => listCapabilities(context, capabilityParams(given)),
})
