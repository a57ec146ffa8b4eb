import { formatUnits } from 'viem'
import { type BookToken, chainOf, type OpenBook } from './book.ts'

/** An amount as people read it: `2,000.5 USDC`. */
export function inWords(
  amount: bigint,
  { symbol, decimals }: Pick<BookToken, 'symbol' | 'decimals'>,
): string {
  const [whole = '', fraction] = formatUnits(amount, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${fraction ? `${grouped}.${fraction}` : grouped} ${symbol}`
}

/** The name of a chain. */
export function onChain(book: OpenBook, chainId: number): string {
  return `on ${chainOf(book, chainId).name}`
}
