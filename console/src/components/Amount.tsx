import type { Shown } from '../format/formatNumber.ts'
import { Tip } from './Tip.tsx'

type Props = { value: Shown; unit?: string | undefined }

/** A number with its unit. All of its digits are on hover and focus, where they are more than what is shown. */
export function Amount({ value, unit }: Props) {
  const text = (
    <>
      <span className="number">{value.short}</span>
      {unit && <span className="unit"> {unit}</span>}
    </>
  )
  const isWhole = value.full === value.short || `${value.full}.00` === value.short
  if (isWhole) return <span className="amount">{text}</span>
  return (
    <Tip tip={`${value.full}${unit ? ` ${unit}` : ''}`}>
      <button type="button" className="amount plain">
        {text}
      </button>
    </Tip>
  )
}
