import { listActivity, listUserPositions } from '@causeway/sdk'
import { getRouteApi } from '@tanstack/react-router'
import type { Address } from 'viem'
import { readAll } from '../api/readAll.ts'
import { useApi } from '../api/useApi.ts'
import { Card } from '../components/Card.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { DataTable } from '../components/DataTable.tsx'
import { Hex } from '../components/Hex.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
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
    <Card title="Positions" isFlush>
      <Answered query={query}>
        {({ rows, isCut }) =>
          rows.length === 0 ? (
            <Empty title="No position">This address holds no shares of a vault.</Empty>
          ) : (
            <>
              <DataTable
                label="Positions"
                rows={rows}
                columns={POSITION_COLUMNS}
                keyOf={({ chainId, vaultAddress }) => `${chainId}:${vaultAddress}`}
              />
              <CutNote isCut={isCut} />
            </>
          )
        }
      </Answered>
    </Card>
  )
}

function Activity({ userAddress }: { userAddress: Address }) {
  const query = useApi(
    (connection, options) =>
      listActivity(connection, { filter: { userAddress }, pageSize: NEWEST }, options).page(),
    { key: ['activity', userAddress], every: EVERY_MS },
  )
  return (
    <Card title="Activity" isFlush>
      <Answered query={query}>
        {({ activity, tokenMetadata }) =>
          activity.length === 0 ? (
            <Empty title="No activity">This address has done nothing in vaults.</Empty>
          ) : (
            <DataTable
              label="Activity"
              rows={activity.map((row) => ({ ...row, tokens: tokenMetadata }))}
              columns={ACTIVITY_COLUMNS}
              keyOf={({ id }) => id}
            />
          )
        }
      </Answered>
    </Card>
  )
}
