import type { Address, Hex } from 'viem'

type Account = {
  /** The account that signs, and pays. */
  account: Address
}

/** An order of Transit. */
export type TransitIntent = Account & {
  kind: 'transit'
  sourceChainId: number
  offerAsset: Address
  offerAmount: bigint
  destinationChainId: number
  wantAsset: Address
  receiver: Address
  /** The least amount of the want asset that the receiver gets. */
  minimumAmountOut: bigint
  integratorFee?: bigint | undefined
  integratorFeeReceiver?: Address | undefined
  /** Without it the quote may name any code, which moves no money. */
  distributorCode?: Hex | undefined
}

/** The inputs of a smart deposit address. */
export type DepositAddressIntent = {
  kind: 'depositAddress'
  chainId: number
  vaultAddress: Address
  inputToken: Address
  userDestinationAddress: Address
  customerId?: string | null | undefined
  /** Part of the address of a customer, so needed with `customerId`. */
  organizationId?: string | null | undefined
}

/** A deposit from another chain or with another token: an order that is paid to a smart deposit address. */
export type DepositFromIntent = Account & {
  kind: 'depositFrom'
  from: { chainId: number; asset: Address }
  offerAmount: bigint
  chainId: number
  vaultAddress: Address
  depositAsset: Address
  /** The account that gets the shares. */
  to: Address
  customerId?: string | null | undefined
  organizationId?: string | null | undefined
  /** The least amount of the deposit asset that arrives. */
  minimumAmountOut: bigint
}

/** By how much the minimum may be below what the vault's own rate gives, read by the user's node; or the minimum itself. */
type Tolerance = {
  /** Default 100, which is 1 %. */
  maxSlippageBps?: number | undefined
}

/** A deposit into a vault on its own chain. */
export type DepositIntent = Account &
  Tolerance & {
    kind: 'deposit'
    chainId: number
    vaultAddress: Address
    depositAsset: Address
    depositAmount: bigint
    to: Address
    /** The least shares. With it no node is asked. */
    minimumShares?: bigint | undefined
  }

/** A withdrawal, at once or by a request. */
export type WithdrawIntent = Account &
  Tolerance & {
    kind: 'withdraw'
    chainId: number
    vaultAddress: Address
    wantAsset: Address
    shareAmount: bigint
    receiver: Address
    refundReceiver: Address
    /** The least assets. With it no node is asked. A request in the queue promises no amount, so it needs `mayWait` too. */
    minimumAssets?: bigint | undefined
    /** Takes a request in the queue, which pays the rate of the day when it is reached, beside `minimumAssets`. */
    mayWait?: boolean | undefined
  }

/**
 * The cancellation of a withdrawal request, by its id, or by its index in the vault's present queue. Only the holder of its
 * receipt can send it, so the account is not checked.
 */
export type CancelIntent = Partial<Account> & {
  kind: 'cancel'
  chainId: number
  vaultAddress: Address
} & ({ requestId: string; orderIndex?: undefined } | { orderIndex: bigint; requestId?: undefined })

/**
 * Taking back what lies at a smart deposit address that is the same on every chain. The account is its user: nobody else can
 * send the call.
 */
export type TakeBackIntent = Account & {
  kind: 'takeBack'
  /** Where it lies. */
  chainId: number
  /** The zero address is the chain's coin. */
  token: Address
  /** The other inputs of the address, with the chain of its vault. */
  inputs: Omit<DepositAddressIntent, 'kind' | 'userDestinationAddress'>
}

/** What the user wants, in the words of the client's flows. */
export type Intent =
  | TransitIntent
  | DepositFromIntent
  | DepositIntent
  | WithdrawIntent
  | CancelIntent
  | TakeBackIntent

/** An intent that lets a contract take a token first. */
export type SpendingIntent = Exclude<Intent, CancelIntent | TakeBackIntent>
