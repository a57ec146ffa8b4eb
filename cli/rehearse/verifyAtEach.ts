import type { ChainEndpoint } from '../../domain/chain/chainClients.ts'
import { verifyAddressBook } from '../../domain/verification/verifyAddressBook.ts'
import { lineOfFinding } from '../doctor/checkBook.ts'
import { type Line, lines } from '../doctor/line.ts'
import { chainsOfNodes, type RehearsalOptions } from './rehearsal.ts'

/**
 * The findings of `address-book verify`, by each provider alone: together, the second is only asked where the first fails.
 * What only one of them finds names it.
 */
export async function verifyAtEach(options: RehearsalOptions): Promise<Line[]> {
  const chains = chainsOfNodes(options)
  const most = Math.max(...chains.map(({ urls }) => urls.length), 1)
  const rounds = Array.from({ length: most }, (_, round) =>
    chains.map(({ chain, urls }): ChainEndpoint => {
      const url = urls[round] ?? urls[0]
      return { chainId: chain.id, rpcUrls: url === undefined ? [] : [url] }
    }),
  )
  const found = await Promise.all(
    rounds.map(async (endpoints) => verifyAddressBook(options.book, endpoints)),
  )
  const counts = new Map<string, number>()
  for (const { place, message } of found.flat())
    counts.set(`${place}: ${message}`, (counts.get(`${place}: ${message}`) ?? 0) + 1)
  const all = found.flatMap((findings, round) =>
    findings.map((finding) => {
      const isShared = counts.get(`${finding.place}: ${finding.message}`) === most
      const check = isShared
        ? 'address book'
        : `address book, by ${most > 1 ? `provider ${round + 1}` : 'its nodes'}`
      return lineOfFinding(check, finding)
    }),
  )
  const distinct = [...new Map(all.map((line) => [line.check + line.message, line])).values()]
  return distinct.length > 0
    ? distinct
    : lines('address book').ok(
        `it agrees with its chains${most > 1 ? ', by each provider alone' : ''}`,
      )
}
