import type { WithdrawalRequest } from '../../../domain/earn/withdrawals/withdrawalRequest.ts'

/** The want asset and the shares of each request. */
export function requestAssets(
  requests: Pick<WithdrawalRequest, 'chainId' | 'wantAsset' | 'vault'>[],
) {
  return requests.flatMap(({ chainId, wantAsset, vault }) =>
    [wantAsset, vault].map((address) => ({ chainId, address })),
  )
}
