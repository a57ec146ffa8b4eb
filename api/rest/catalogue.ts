import { graphql, type Route, route } from './route.ts'

const REASONS = '{ reason message metadata since }'
const CAPABILITY = `{ isOpen reasons ${REASONS} }`

/** The chains and tokens of this service, and what is open. */
export const catalogueRoutes: readonly Route[] = [
  route({
    path: '/v1/core/capabilities',
    operationId: 'listCapabilities',
    field: 'capabilities',
    selection: `{
      transitRoutes {
        sourceChainId destinationChainId destinationEid offerAsset wantAsset
        isOpen reasons ${REASONS}
      }
      vaults {
        chainId vaultAddress
        deposit ${CAPABILITY}
        withdraw ${CAPABILITY}
        cancel ${CAPABILITY}
        smartDeposit ${CAPABILITY}
      }
      nextPageToken
    }`,
    optional: ['since'],
    errors: ['CHAIN_NOT_FOUND', 'VAULT_NOT_FOUND'],
    limitClass: 'prepare',
  }),
  route({
    path: '/v1/core/chains',
    operationId: 'listChains',
    field: 'chains',
    selection: graphql`{ chains { ...Chain } }`,
    errors: ['INDEX_CATCHING_UP'],
    cache: 'no-cache',
  }),
  route({
    path: '/v1/core/tokens',
    operationId: 'listTokens',
    field: 'tokens',
    selection: graphql`{
      tokens { ...Token }
      nextPageToken
    }`,
    cache: 10,
  }),
]
