import { listActivity, listUserPositions } from '@causeway/sdk'
import { getRouteApi } from '@tanstack/react-router'
import type { Address } from 'viem'
import { readAll } from '../api/readAll.ts'
import { useApi } from '../api/useApi.ts'
import { Hex } from '../components/Hex.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { Empty } from '../components/states.tsx'
import { isAddressText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { ACTIVITY_COLUMNS, POSITION_COLUMNS } from './userColumns.tsx'

const route = getRouteApi('/console/users/$userAddress')
const EVERY_MS = 30_000
const NEWEST = 100

/** The positions, earnings and activity of an address. */
export function UserPage() {
  const { userAddress } = route.useParams()
  if (!isAddressText(userAddress))
    return (
      <Page title="Address">
        <Empty title="This is not an address">An address is 0x and 40 digits.</Empty>
      </Page>
    )
  return (
    <Page title={`Address ${shortHex(userAddress)}`} about={<Hex hex={userAddress} of="address" />}>
      <Positions userAddress={userAddress} />
      <Activity userAddress={userAddress} />
    </Page>
  )
}

function Positions({ userAddress }: { userAddress: Address }) {
  const query = useApi(
    (connection, options) =>
      readAll(
        listUserPositions(connection, { userAddress, pageSize: 100 }, options),
        'userPositions',
      ),
    { key: ['positions', userAddress], every: EVERY_MS },
  )
  return (
    <ListCard
      title="Positions"
      query={query}
      columns={POSITION_COLUMNS}
      keyOf={({ chainId, vaultAddress }) => `${chainId}:${vaultAddress}`}
      none="No position"
      advice="This address holds no shares of a vault."
    />
  )
}

function Activity({ userAddress }: { userAddress: Address }) {
  const query = useApi(
    async (connection, options) => {
      const params = { filter: { userAddress }, pageSize: NEWEST }
      const { activity, tokenMetadata } = await listActivity(connection, params, options).page()
      return { rows: activity.map((row) => ({ ...row, tokens: tokenMetadata })), isCut: false }
    },
    { key: ['activity', userAddress], every: EVERY_MS },
  )
  return (
    <ListCard
      title="Activity"
      query={query}
      columns={ACTIVITY_COLUMNS}
      keyOf={({ id }) => id}
      none="No activity"
      advice="This address has done nothing in vaults."
    />
  )
}
