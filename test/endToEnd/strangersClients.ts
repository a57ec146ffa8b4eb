/** The program of a stranger, over types that are generated from `/openapi.json`. */
export const REST_CLIENT = `
import createClient from 'openapi-fetch'
import type { components, paths } from './causeway.ts'

const baseUrl = process.env.API_URL ?? ''
const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': process.env.API_KEY ?? '' } })

const vaults = await client.GET('/v2/earn/vaults', { params: { query: { pageSize: 1 } } })
const name: string | undefined = vaults.data?.vaults[0]?.name

type Detail = NonNullable<components['schemas']['ErrorBody']['details']>[number]
function reasonOf(details: Detail[] = []) {
  for (const detail of details)
    if ('reason' in detail && detail.reason === 'VAULT_NOT_FOUND') return detail.reason
  return undefined
}
const refused = await client.GET('/v2/earn/deposit', {
  params: {
    query: {
      vaultAddress: '0x0000000000000000000000000000000000000001',
      chainId: 1,
      depositAsset: '0x0000000000000000000000000000000000000002',
      depositAmount: '1',
      userAddress: '0x0000000000000000000000000000000000000003',
    },
  },
})
console.log(JSON.stringify({ name, reason: reasonOf(refused.error?.error.details) }))
`

export const GRAPHQL_DOCUMENT = `
query Vaults($pageSize: Int) {
  vaults(pageSize: $pageSize) { vaults { name deployments { chainId boringVaultAddress } } }
  _meta { chains { chainId head lagSeconds } }
}
`

/** The same over types of GraphQL Code Generator. */
export const GRAPHQL_CLIENT = `
import type { VaultsQuery, VaultsQueryVariables } from './types.ts'

const query = ${JSON.stringify(GRAPHQL_DOCUMENT)}
const variables: VaultsQueryVariables = { pageSize: 1 }
const response = await fetch((process.env.API_URL ?? '') + '/graphql', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': process.env.API_KEY ?? '' },
  body: JSON.stringify({ query, variables }),
})
const { data }: { data: VaultsQuery } = JSON.parse(await response.text())
const address: \`0x\${string}\` | undefined = data.vaults?.vaults[0]?.deployments[0]?.boringVaultAddress
console.log(JSON.stringify({ name: data.vaults?.vaults[0]?.name, address }))
`
