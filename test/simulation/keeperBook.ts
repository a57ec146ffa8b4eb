import { parseEther, parseGwei } from 'viem'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { CHAIN_ID, MINIMUM } from './keeperTraffic.ts'

/** Refunds of little are worth their gas, small payments are settled together, and no hour is too dear. */
export function keeperBook(book: AddressBookFile, finalityDepth?: number): AddressBookFile {
  const chains = withHighCeilings(book).chains.map((chain) => ({
    ...chain,
    finalityDepth: finalityDepth ?? chain.finalityDepth,
  }))
  const usdFeed = book.chains.find(({ id }) => id === CHAIN_ID)?.transitFill?.nativeUsdFeed
  const smartDepositMinimum = String(MINIMUM)
  return {
    ...book,
    chains,
    tokens: book.tokens.map((token) => ({ ...token, usdFeed, smartDepositMinimum })),
  }
}

/** No hour is too dear for the keepers. */
export function withHighCeilings(book: AddressBookFile): AddressBookFile {
  const ceilings = {
    maxGas: 3_000_000,
    maxFeePerGas: String(parseGwei('300')),
    maxSpendPerHour: String(parseEther('1000')),
  }
  const chains = book.chains.map((chain) =>
    chain.smartDeposit ? { ...chain, smartDeposit: { ...chain.smartDeposit, ceilings } } : chain,
  )
  return { ...book, chains }
}
