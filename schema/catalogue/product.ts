import type { Product } from '../../domain/catalogue/offers.ts'
import { builder } from '../builder.ts'

export const ProductRef = builder.enumType('Product', {
  description: 'A product of this service.',
  values: {
    TRANSIT: { description: 'Transit: routes between tokens of one or two chains.' },
    EARN: { description: 'Earn: vaults.' },
    SMART_DEPOSIT: { description: 'Smart deposits: addresses whose payments go into a vault.' },
  } satisfies Record<Product, { description: string }>,
})
