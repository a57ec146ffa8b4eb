import { useEffect, useState } from 'react'
import { Time } from '../components/Time.tsx'
import { formatDuration } from '../format/formatTime.ts'

/** The time until an order is expected to be paid, counted down. */
export function TimeLeft({ expectedBy }: { expectedBy: Date }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = expectedBy.getTime() - now
  // Not read out each second.
  return (
    <p className="time-left" aria-live="off">
      {left > 0 ? (
        <>
          Expected in <strong>{formatDuration(Math.ceil(left / 1_000) * 1_000)}</strong>, by{' '}
          <Time time={expectedBy} />
        </>
      ) : (
        <>
          It takes longer than most orders of this route. Expected by <Time time={expectedBy} />
        </>
      )}
    </p>
  )
}
