import type { AddressBook } from '../addressBook/addressBook.ts'
import type { ChainEndpoint } from '../chain/chainClients.ts'
import { type Finding, note } from './finding.ts'
import type { VerificationContext } from './verificationContext.ts'
import { verifyBlocks } from './verifyBlocks.ts'
import { verifyFeeds } from './verifyFeeds.ts'
import { verifyNodes } from './verifyNodes.ts'
import { verifySmartDeposits } from './verifySmartDeposits.ts'
import { verifyStartBlocks } from './verifyStartBlocks.ts'
import { verifyTokens } from './verifyTokens.ts'
import { verifyTransit } from './verifyTransit.ts'
import { verifyVaults } from './verifyVaults.ts'

/** Compares the address book with its chains and reports all differences, in the order of the file. */
export async function verifyAddressBook(
  book: AddressBook,
  endpoints: ChainEndpoint[],
): Promise<Finding[]> {
  const { findings, ...context } = await verifyNodes(book, endpoints)
  const checks = [
    verifyChains,
    verifyTokens,
    verifyFeeds,
    verifyTransit,
    verifyBlocks,
    verifyStartBlocks,
    verifyVaults,
    verifySmartDeposits,
  ]
  const found = await Promise.all(checks.map((check) => check(context)))
  return [...findings, ...found.flat()]
}

/** Names the chains without an explorer: clients cannot link their transactions. */
async function verifyChains({ book }: VerificationContext): Promise<Finding[]> {
  return book.chains.flatMap(({ id, explorerUrl }, index) =>
    explorerUrl === undefined
      ? [note(`chains.${index}.explorerUrl`, `chain ${id} has none: clients cannot link to one`)]
      : [],
  )
}
