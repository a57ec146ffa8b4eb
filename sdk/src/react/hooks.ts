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

/** The chains of this service, with what each offers. */
export const useChains = /* @__PURE__ */ readHook(options.chainsOptions)
/** The tokens of this service, with their prices. */
export const useTokens = /* @__PURE__ */ listHook(options.tokensOptions)

/** The routes that orders can take now. */
export const useTransitRoutes = /* @__PURE__ */ listHook(options.transitRoutesOptions)
/** An indicative quote, read again every ten seconds. */
export const useTransitQuote = /* @__PURE__ */ readHook(transitQuoteOptions)
/** Orders, newest first. */
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

/** The vaults and their deployments, sorted by name. */
export const useVaults = /* @__PURE__ */ listHook(options.vaultsOptions)
/** The positions of a user, one for each vault. */
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
/** Deposits into a vault: `mutate` takes what `earn.deposit` takes. */
export const useDeposit = /* @__PURE__ */ flowHook(depositIntoVault, holdings)
/** Withdraws from a vault: `mutate` takes what `earn.withdraw` takes. */
export const useWithdraw = /* @__PURE__ */ flowHook(withdrawFromVault, withdrawals)
/** Cancels a withdrawal request: `mutate` takes what `earn.cancel` takes. */
export const useCancelWithdrawal = /* @__PURE__ */ flowHook(cancelWithdrawal, [
  options.withdrawalRequestOptions,
  ...withdrawals,
])

/** The journeys to a user's smart deposit addresses, newest first. */
export const useJourneys = /* @__PURE__ */ listHook(options.journeysOptions)
/** A journey, live until it is final or has ended otherwise. */
export const useJourney = /* @__PURE__ */ liveHook(options.journeyOptions, {
  watched: (causeway, { id }) => watchedJourney(causeway, id),
  affects: [options.journeysOptions, options.smartDepositsOptions, ...holdings],
})
/** Smart deposits, newest first. */
export const useSmartDeposits = /* @__PURE__ */ listHook(options.smartDepositsOptions)
/** A smart deposit, live until it is final or has failed. */
export const useSmartDeposit = /* @__PURE__ */ liveHook(options.smartDepositOptions, {
  watched: (causeway, { depositId }) => watchedSmartDeposit(causeway, depositId),
  affects: [options.smartDepositsOptions, ...holdings],
})
