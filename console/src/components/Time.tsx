import { formatTime } from '../format/formatTime.ts'
import { Tip } from './Tip.tsx'

/** A time of this place; UTC is on hover and focus. */
export function Time({ time }: { time: Date }) {
  const { local, utc } = formatTime(time)
  return (
    <Tip tip={utc}>
      <button type="button" className="plain time">
        <time dateTime={time.toISOString()}>{local}</time>
      </button>
    </Tip>
  )
}
