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
import { transitQuoteOptions } from './transitQuoteOptions.ts'

const holdings = [options.positionsOptions, positionOptions, options.activityOptions]
const withdrawals = [options.withdrawalRequestsOptions, ...holdings]

export const useChains = /* @__PURE__ */ readHook(options.chainsOptions)
export const useTokens = /* @__PURE__ */ listHook(options.tokensOptions)

export const useTransitRoutes = /* @__PURE__ */ listHook(options.transitRoutesOptions)
/** A quote that is always fresh: it is read again before it expires. */
export const useTransitQuote = /* @__PURE__ */ readHook(transitQuoteOptions)
export const useTransitOrders = /* @__PURE__ */ listHook(options.transitOrdersOptions)
/** An order, live until it has ended and is finalized. An order that is not known yet is awaited. */
export const useTransitOrder = /* @__PURE__ */ liveHook(options.transitOrderOptions, {
  watched: (causeway, { orderId }) => watchedOrder(causeway, orderId),
  affects: [options.transitOrdersOptions],
})
/** Sends an order: `mutate({ walletClient, publicClient, quote })`. */
export const useSendTransitOrder = /* @__PURE__ */ flowHook(sendTransitOrder, [
  options.transitOrdersOptions,
])

export const useVaults = /* @__PURE__ */ listHook(options.vaultsOptions)
export const usePositions = /* @__PURE__ */ listHook(options.positionsOptions)
/** The position of a user in one deployment of a vault; null without one. */
export const usePosition = /* @__PURE__ */ readHook(positionOptions)
/** The activity of a user or a vault, newest first. The filter needs a user or a vault. */
export const useActivity = /* @__PURE__ */ listHook(options.activityOptions)
/** Withdrawal requests, newest first. */
export const useWithdrawalRequests = /* @__PURE__ */ listHook(options.withdrawalRequestsOptions)
/** A withdrawal request, live until it is paid or refunded. */
export const useWithdrawalRequest = /* @__PURE__ */ liveHook(options.withdrawalRequestOptions, {
  watched: (causeway, { id }) => watchedWithdrawal(causeway, id),
  affects: withdrawals,
})
export const useDeposit = /* @__PURE__ */ flowHook(depositIntoVault, holdings)
export const useWithdraw = /* @__PURE__ */ flowHook(withdrawFromVault, withdrawals)
export const useCancelWithdrawal = /* @__PURE__ */ flowHook(cancelWithdrawal, [
  options.withdrawalRequestOptions,
  ...withdrawals,
])

export const useJourneys = /* @__PURE__ */ listHook(options.journeysOptions)
/** A journey, live until it is final or has ended otherwise. */
export const useJourney = /* @__PURE__ */ liveHook(options.journeyOptions, {
  watched: (causeway, { id }) => watchedJourney(causeway, id),
  affects: [options.journeysOptions, options.smartDepositsOptions, ...holdings],
})
export const useSmartDeposits = /* @__PURE__ */ listHook(options.smartDepositsOptions)
/** A smart deposit, live until it is final or has failed. */
export const useSmartDeposit = /* @__PURE__ */ liveHook(options.smartDepositOptions, {
  watched: (causeway, { depositId }) => watchedSmartDeposit(causeway, depositId),
  affects: [options.smartDepositsOptions, ...holdings],
})
