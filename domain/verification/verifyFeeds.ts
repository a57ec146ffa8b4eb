import { priceFeedAbi } from '../../abis/priceFeed.ts'
import type { AddressBook, PriceFeed } from '../addressBook/addressBook.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { contradiction, type Finding, noCode } from './finding.ts'
import { ask, hasCode, type VerificationContext } from './verificationContext.ts'

type UsedFeed = { feed: PriceFeed; places: string[] }

/** Checks that every price feed exists and has a price that is young enough. A shared feed is reported once. */
export async function verifyFeeds(context: VerificationContext): Promise<Finding[]> {
  const found = await Promise.all(
    usedFeeds(context.book).map(({ feed, places: [place = '', ...others] }) =>
      ask(context, {
        chainId: feed.chainId,
        place,
        run: async () => {
          const findings = await verifyFeed(context, feed, place)
          const elsewhere = others.length > 0 ? ` (also ${others.join(', ')})` : ''
          return findings.map((finding) => ({
            ...finding,
            message: `${finding.message}${elsewhere}`,
          }))
        },
      }),
    ),
  )
  return [...found.flat(), ...(await verifyUptimeFeeds(context))]
}

/** Checks that what the book names as the uptime feed of a sequencer says that it is up or down. */
async function verifyUptimeFeeds(context: VerificationContext): Promise<Finding[]> {
  const found = await Promise.all(
    context.book.chains.map(async ({ id: chainId, sequencerUptimeFeed: address }, index) => {
      if (!address) return []
      const place = `chains.${index}.sequencerUptimeFeed`
      return ask(context, {
        chainId,
        place,
        run: () =>
          context.chains.read(chainId, async (client) => {
            const round = await tryRead(client, {
              address,
              abi: priceFeedAbi,
              functionName: 'latestRoundData',
            })
            if (round === null && !(await hasCode(client, address)))
              return [noCode(place, address, chainId)]
            const status = round?.[1] ?? null
            if (status === 0n || status === 1n) return []
            const said = status === null ? 'does not answer' : `is ${status}, neither 0 nor 1`
            return [contradiction(place, `latestRoundData() of ${address} ${said}`)]
          }),
      })
    }),
  )
  return found.flat()
}

function usedFeeds(book: AddressBook): UsedFeed[] {
  const uses = [
    ...book.chains.map((chain, index) => ({
      feed: chain.transitFill?.nativeUsdFeed,
      place: `chains.${index}.transitFill.nativeUsdFeed`,
    })),
    ...book.tokens.map(({ usdFeed }, index) => ({
      feed: usdFeed,
      place: `tokens.${index}.usdFeed`,
    })),
  ]
  const used = new Map<string, UsedFeed>()
  for (const { feed, place } of uses) {
    if (!feed) continue
    const key = `${feed.chainId}:${feed.address}:${feed.maxAgeSeconds}`
    const known = used.get(key)
    if (known) known.places.push(place)
    else used.set(key, { feed, places: [place] })
  }
  return [...used.values()]
}

function verifyFeed(
  { chains }: VerificationContext,
  feed: PriceFeed,
  place: string,
): Promise<Finding[]> {
  const { chainId, address } = feed
  return chains.read(chainId, async (client) => {
    const contract = { address, abi: priceFeedAbi } as const
    const [round, decimals] = await Promise.all([
      tryRead(client, { ...contract, functionName: 'latestRoundData' }),
      tryRead(client, { ...contract, functionName: 'decimals' }),
    ])
    if (round === null && decimals === null && !(await hasCode(client, address)))
      return [noCode(`${place}.address`, address, chainId)]
    const [, answer = null, , updatedAt = 0n] = round ?? []
    const answered = { answer, decimals, ageSeconds: Date.now() / 1_000 - Number(updatedAt) }
    return judgeFeed(place, feed, answered)
  })
}

type FeedAnswer = { answer: bigint | null; decimals: number | null; ageSeconds: number }

/** The findings for one feed's answers; null stands for a function that does not answer. */
export function judgeFeed(place: string, feed: PriceFeed, answered: FeedAnswer): Finding[] {
  const { answer, decimals, ageSeconds } = answered
  const at = `${feed.address} on chain ${feed.chainId}`
  const findings: Finding[] = []
  if (decimals === null)
    findings.push(contradiction(`${place}.address`, `decimals() of ${at} does not answer`))
  if (answer === null)
    findings.push(contradiction(`${place}.address`, `latestRoundData() of ${at} does not answer`))
  else if (answer <= 0n)
    findings.push(
      contradiction(`${place}.address`, `the answer of ${at} is ${answer}, which is not a price`),
    )
  else if (ageSeconds > feed.maxAgeSeconds)
    findings.push(
      contradiction(
        `${place}.maxAgeSeconds`,
        `the book has ${feed.maxAgeSeconds}, the answer of ${at} is ${Math.floor(ageSeconds)} s old`,
      ),
    )
  return findings
}
