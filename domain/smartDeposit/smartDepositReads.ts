import { gather } from '../cache/gather.ts'
import type { SharedServices } from '../context.ts'
import {
  createResourceWatch,
  type IndexSignal,
  type ResourceWatch,
} from '../watch/resourceWatch.ts'
import { selectSmartDeposits, toSmartDeposit } from './selectSmartDeposits.ts'
import type { SmartDeposit } from './smartDeposit.ts'

/** An organization's id and a deposit's: each organization has its own view of a deposit. */
export type SmartDepositPlaceId = `${string}/${string}`

/** Reads single deposits; requests during a running read share the next statement. */
export type SmartDepositReads = {
  read(id: SmartDepositPlaceId): Promise<SmartDeposit | undefined>
}

/** Waits for changes of organizations' deposits. */
export type SmartDepositWatch = ResourceWatch<SmartDepositPlaceId, SmartDeposit>

export function createSmartDepositReads({ sql }: Pick<SharedServices, 'sql'>): SmartDepositReads {
  const select = gather(async (ids: SmartDepositPlaceId[]) => {
    const rows = await selectSmartDeposits(sql, ids.map(placeOf))
    return new Map(
      rows.map((row) => [`${row.organization_id}/${row.deposit_id}`, toSmartDeposit(row)]),
    )
  })
  return { read: async (id) => (await select(id)).get(id) }
}

function placeOf(id: SmartDepositPlaceId) {
  const [organizationId = '', depositId = ''] = id.split('/')
  return { organizationId, depositId }
}

export function createSmartDepositWatch(
  { read }: SmartDepositReads,
  onSmartDeposit: IndexSignal,
): SmartDepositWatch {
  return createResourceWatch({ read, version }, onSmartDeposit)
}

/** Each change of a deposit is an event, so the number of events is its version. */
function version({ timeline }: SmartDeposit): string {
  return String(timeline.length)
}
