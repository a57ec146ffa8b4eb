/** The amount that a station owes for a net offer: its arithmetic, written down from the contract and not from our code. */
export function owedByStation(net: bigint, offerDecimals: bigint, wantDecimals: bigint): bigint {
  const on18 =
    offerDecimals > 18n ? net / 10n ** (offerDecimals - 18n) : net * 10n ** (18n - offerDecimals)
  return wantDecimals < 18n
    ? on18 / 10n ** (18n - wantDecimals)
    : on18 * 10n ** (wantDecimals - 18n)
}
