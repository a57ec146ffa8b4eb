type Book = {
  chains: readonly { id: number; smartDeposit?: { ceilings?: unknown } | undefined }[]
}

type Complain = (path: (string | number)[], message: string) => void

/** What a book of PRODUCTION must state, because a default would spend the operator's coins. */
export function checkSmartDeposits({ chains }: Book, complain: Complain): void {
  for (const [index, { smartDeposit }] of chains.entries())
    if (smartDeposit && !smartDeposit.ceilings)
      complain(
        ['chains', index, 'smartDeposit', 'ceilings'],
        "in PRODUCTION, what the keeper's transactions may cost",
      )
}
