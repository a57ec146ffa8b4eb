'use client'

import { cancelWithdrawal } from '../flows/cancelWithdrawal.ts'
import { depositIntoVault } from '../flows/depositIntoVault.ts'
import { sendTransitOrder } from '../flows/sendTransitOrder.ts'
import { withdrawFromVault } from '../flows/withdrawFromVault.ts'
import * as options from '../generated/queryOptions.ts'
import { watchedWithdrawal } from '../watch/waitForWithdrawal.ts'
import { watchedJourney } from '../watch/watchJourney.ts'
import { watchedSmartDeposit } from '../watch/watchSmartDeposit.ts'
import { watchedOrder } from '../watch/watchTransitOrder.ts'
import { flowHook, listHook, liveHook, readHook } from './createHooks.ts'
import { positionOptions } from './positionOptions.ts'
import { journeyQuoteOptions, transitQuoteOptions } from './quoteOptions.ts'

const holdings = [options.positionsOptions, positionOptions, options.activityOptions]
const withdrawals = [options.withdrawalRequestsOptions, ...holdings]

/**
 * The chains of this service, with what each offers.
 *
 * @example
 * const { data: chains } = useChains()
 */
export const useChains = /* @__PURE__ */ readHook(options.chainsOptions)
/**
 * The tokens of this service, with their prices.
 *
 * @example
 * const { data: tokens } = useTokens({ filter: { chainId: 1 } })
 */
export const useTokens = /* @__PURE__ */ listHook(options.tokensOptions)

/**
 * The routes that orders can take now.
 *
 * @example
 * const { data: routes } = useTransitRoutes()
 */
export const useTransitRoutes = /* @__PURE__ */ listHook(options.transitRoutesOptions)
/**
 * An indicative quote, read again every ten seconds.
 *
 * @example
 * const { data: quote } = useTransitQuote(wish)
 */
export const useTransitQuote = /* @__PURE__ */ readHook(transitQuoteOptions)
/**
 * Orders, newest first.
 *
 * @example
 * const { data: orders, fetchNextPage } = useTransitOrders({ userAddress: account.address })
 */
export const useTransitOrders = /* @__PURE__ */ listHook(options.transitOrdersOptions)
/**
 * An order, live until it has ended and is finalized. An order that is not known yet is awaited.
 *
 * @example
 * const { data: order, error } = useTransitOrder({ orderId })
 */
export const useTransitOrder = /* @__PURE__ */ liveHook(options.transitOrderOptions, {
  watched: ({ orderId }) => watchedOrder(orderId),
  affects: [options.transitOrdersOptions],
})
/**
 * Sends an order: `mutate({ walletClient, publicClient, quote })`.
 *
 * @example
 * const { mutate, error } = useSendTransitOrder()
 * const send = () => mutate({ ...wallets, quote })
 */
export const useSendTransitOrder = /* @__PURE__ */ flowHook(sendTransitOrder, [
  options.transitOrdersOptions,
])

/**
 * The vaults and their deployments, sorted by name.
 *
 * @example
 * const { data: vaults } = useVaults()
 */
export const useVaults = /* @__PURE__ */ listHook(options.vaultsOptions)
/**
 * The positions of a user, one for each vault.
 *
 * @example
 * const { data: positions } = usePositions({ userAddress: account.address })
 */
export const usePositions = /* @__PURE__ */ listHook(options.positionsOptions)
/**
 * The position of a user in one deployment of a vault; null without one.
 *
 * @example
 * const { data: position } = usePosition({ ...vault, userAddress: account.address })
 */
export const usePosition = /* @__PURE__ */ readHook(positionOptions)
/**
 * The activity of a user or a vault, newest first. The filter needs a user or a vault.
 *
 * @example
 * const { data: rows } = useActivity({ filter: { userAddress: account.address } })
 */
export const useActivity = /* @__PURE__ */ listHook(options.activityOptions)
/**
 * Withdrawal requests, newest first.
 *
 * @example
 * const { data: requests } = useWithdrawalRequests({ filter: { userAddress: account.address } })
 */
export const useWithdrawalRequests = /* @__PURE__ */ listHook(options.withdrawalRequestsOptions)
/**
 * A withdrawal request, live until it is paid or refunded.
 *
 * @example
 * const { data: request } = useWithdrawalRequest({ id: withdrawalRequestId })
 */
export const useWithdrawalRequest = /* @__PURE__ */ liveHook(options.withdrawalRequestOptions, {
  watched: ({ id }) => watchedWithdrawal(id),
  affects: withdrawals,
})
/**
 * Deposits into a vault: `mutate` takes what `earn.deposit` takes.
 *
 * @example
 * const { mutate, isPending } = useDeposit()
 * const deposit = () => mutate({ ...wallets, ...vault, depositAsset: USDC, depositAmount: 100_000_000n })
 */
export const useDeposit = /* @__PURE__ */ flowHook(depositIntoVault, holdings)
/**
 * Withdraws from a vault: `mutate` takes what `earn.withdraw` takes.
 *
 * @example
 * const { mutate } = useWithdraw()
 * const withdraw = () => mutate({ ...wallets, ...vault, wantAsset: USDC, shareAmount: 10_000_000n })
 */
export const useWithdraw = /* @__PURE__ */ flowHook(withdrawFromVault, withdrawals)
/**
 * Cancels a withdrawal request: `mutate` takes what `earn.cancel` takes.
 *
 * @example
 * const { mutate } = useCancelWithdrawal()
 * const cancel = () => mutate({ ...wallets, ...vault, requestId })
 */
export const useCancelWithdrawal = /* @__PURE__ */ flowHook(cancelWithdrawal, [
  options.withdrawalRequestOptions,
  ...withdrawals,
])

/**
 * The journeys to a user's smart deposit addresses, newest first.
 *
 * @example
 * const { data: journeys } = useJourneys({ userAddress: account.address })
 */
export const useJourneys = /* @__PURE__ */ listHook(options.journeysOptions)
/**
 * The figures of a deposit from another chain or token, read again every ten seconds.
 *
 * @example
 * const { data: quote } = useJourneyQuote(deposit)
 */
export const useJourneyQuote = /* @__PURE__ */ readHook(journeyQuoteOptions)
/**
 * A journey, live until it is final or has ended otherwise.
 *
 * @example
 * const { data: journey } = useJourney({ id: journeyId })
 */
export const useJourney = /* @__PURE__ */ liveHook(options.journeyOptions, {
  watched: ({ id }) => watchedJourney(id),
  affects: [options.journeysOptions, options.smartDepositsOptions, ...holdings],
})
/**
 * Smart deposits, newest first.
 *
 * @example
 * const { data: deposits } = useSmartDeposits({ filter: { status: 'PENDING' } })
 */
export const useSmartDeposits = /* @__PURE__ */ listHook(options.smartDepositsOptions)
/**
 * A smart deposit, live until it is final or has failed.
 *
 * @example
 * const { data: deposit } = useSmartDeposit({ depositId })
 */
export const useSmartDeposit = /* @__PURE__ */ liveHook(options.smartDepositOptions, {
  watched: ({ depositId }) => watchedSmartDeposit(depositId),
  affects: [options.smartDepositsOptions, ...holdings],
})
