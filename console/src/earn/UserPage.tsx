import type { Answer } from '@causeway/sdk'
import { activityOptions, positionsOptions, useAll, useList } from '@causeway/sdk/react'
import type { InfiniteData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Address } from 'viem'
import { Hex } from '../components/Hex.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { Empty } from '../components/states.tsx'
import { isAddressText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { vaultKey } from './deploymentsOf.ts'
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
  const query = useAll(positionsOptions, { userAddress }, { refetchInterval: EVERY_MS })
  return (
    <ListCard
      title="Positions"
      query={query}
      columns={POSITION_COLUMNS}
      keyOf={vaultKey}
      none="No position"
      advice="This address holds no shares of a vault."
    />
  )
}

function Activity({ userAddress }: { userAddress: Address }) {
  const query = useList(
    activityOptions,
    { filter: { userAddress }, pageSize: NEWEST },
    { refetchInterval: EVERY_MS, select: newestOf },
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

function newestOf({ pages }: InfiniteData<Answer<'listActivity'>>) {
  const rows = pages.flatMap(({ activity, tokenMetadata }) =>
    activity.map((row) => ({ ...row, tokens: tokenMetadata })),
  )
  return { rows, hasMore: false }
}
