import type { AddressBookChain, KeeperCeilings } from '../addressBook/addressBook.ts'

/** For a chain whose address book entry has none. */
export const KEEPER_CEILINGS: KeeperCeilings = {
  maxGas: 1_500_000,
  maxFeePerGas: String(300n * 10n ** 9n),
  maxSpendPerHour: String(2n * 10n ** 17n),
}

/** The most that transactions of the keeper of a chain may cost. */
export function keeperCeilings({ smartDeposit }: Pick<AddressBookChain, 'smartDeposit'>) {
  return smartDeposit?.ceilings ?? KEEPER_CEILINGS
}
