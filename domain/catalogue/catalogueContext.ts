import type { SharedServices } from '../context.ts'
import type { PriceFeeds } from '../price/priceFeeds.ts'
import type { TokenPermits } from '../token/tokenPermits.ts'

export type CatalogueServices = SharedServices & {
  priceFeeds: PriceFeeds
  tokenPermits: TokenPermits
}
