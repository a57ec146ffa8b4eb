type Book = {
  chains: readonly { id: number; smartDeposit?: { ceilings?: unknown } | undefined }[]
  tokens: readonly { chainId: number; address: string; smartDepositMinimum?: string | undefined }[]
  vaults: readonly {
    deployments: readonly {
      chainId: number
      inDeprecation: boolean
      assets: readonly { address: string }[]
    }[]
  }[]
}

type Complain = (path: (string | number)[], message: string) => void

/** Complains about fields that a PRODUCTION book must have, because a default would spend the operator's coins. */
export function checkSmartDeposits({ chains, tokens, vaults }: Book, complain: Complain): void {
  for (const [index, { smartDeposit }] of chains.entries())
    if (smartDeposit && !smartDeposit.ceilings)
      complain(
        ['chains', index, 'smartDeposit', 'ceilings'],
        "in PRODUCTION, what the keeper's transactions may cost",
      )
  const kept = new Set(chains.flatMap(({ id, smartDeposit }) => (smartDeposit ? [id] : [])))
  const deployments = vaults.flatMap((vault) => vault.deployments)
  for (const [index, token] of tokens.entries()) {
    const isTaken = deployments.some(
      ({ chainId, inDeprecation, assets }) =>
        chainId === token.chainId &&
        !inDeprecation &&
        assets.some(({ address }) => address === token.address),
    )
    if (isTaken && kept.has(token.chainId) && token.smartDepositMinimum === undefined)
      complain(
        ['tokens', index, 'smartDepositMinimum'],
        'in PRODUCTION, the least payment that is settled alone',
      )
  }
}
