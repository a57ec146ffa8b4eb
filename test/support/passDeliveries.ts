import type { Sql } from 'postgres'

/** Makes all waiting deliveries due this many seconds earlier. */
export async function passDeliveries(sql: Sql, seconds: number) {
  await sql.begin(async (transaction) => {
    const interval = transaction`make_interval(secs => ${seconds})`
    await transaction`
      update app.webhook_delivery set next_attempt_at = next_attempt_at - ${interval},
        last_attempt_at = last_attempt_at - ${interval} where status = 'waiting'`
    await transaction`
      update graphile_worker._private_jobs set run_at = run_at - ${interval}
      where locked_at is null`
    await transaction`notify "jobs:insert", '{"count":1}'`
  })
}
