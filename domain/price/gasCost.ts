/** A price in USD: `answer` with `decimals`, above 0. */
export type UsdPrice = { answer: bigint; decimals: number }

export type GasInToken = {
  gas: bigint
  /** Wei of the native currency per gas. */
  gasPrice: bigint
  nativeUsd: UsdPrice
  tokenUsd: UsdPrice
  tokenDecimals: number
}

const NATIVE_DECIMALS = 18

/** The cost of gas, in base units of a token, rounded up. */
export function gasCost({ gas, gasPrice, nativeUsd, tokenUsd, tokenDecimals }: GasInToken): bigint {
  const above = gas * gasPrice * nativeUsd.answer * 10n ** BigInt(tokenUsd.decimals + tokenDecimals)
  const below = tokenUsd.answer * 10n ** BigInt(nativeUsd.decimals + NATIVE_DECIMALS)
  return (above + below - 1n) / below
}
