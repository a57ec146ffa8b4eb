import type { Product } from '../../domain/catalogue/offers.ts'
import { enumType } from '../enumType.ts'

export const ProductRef = enumType<Product>('Product', {
  description: 'A product of this service.',
  values: {
    TRANSIT: 'Transit: routes between tokens of one or two chains.',
    EARN: 'Earn: vaults.',
    SMART_DEPOSIT: 'Smart deposits: addresses whose payments go into a vault.',
  },
})
