import type { Sql } from 'postgres'

/** Makes all waiting deliveries due this many seconds earlier. */
export async function passDeliveries(sql: Sql, seconds: number) {
  await sql.begin(async (transaction) => {
    const interval = transaction`make_interval(secs => ${seconds})`
    await transaction`
      update app.webhook_delivery set next_attempt_at = next_attempt_at - ${interval},
        last_attempt_at = last_attempt_at - ${interval} where status = 'waiting'`
    await transaction`
      select 1 from graphile_worker.jobs job,
        graphile_worker.reschedule_jobs(array[job.id], run_at => job.run_at - ${interval})
      where job.locked_at is null`
    await transaction`notify "jobs:insert", '{"count":1}'`
  })
}
