import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefCallback, type RefObject, useEffect } from 'react'

type Props = {
  /** The element that scrolls. */
  frame: RefObject<HTMLElement | null>
  count: number
  columns: number
  /** The height of a row; a first guess if rows are measured. */
  rowPx: number
  isMeasured: boolean
  draw: (index: number, ref?: RefCallback<HTMLTableRowElement>) => ReactNode
}

/** The rows of a long table that are in view, and the height of the others. */
export function LongRows({ frame, count, columns, rowPx, isMeasured, draw }: Props) {
  const virtual = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another layout have other heights.
  useEffect(() => virtual.measure(), [rowPx, virtual])
  const items = virtual.getVirtualItems()
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <>
      <Gap height={items[0]?.start ?? 0} columns={columns} />
      {items.map(({ index }) => draw(index, isMeasured ? virtual.measureElement : undefined))}
      <Gap height={after} columns={columns} />
    </>
  )
}

/** Stands for the rows that are not drawn. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr className="gap">
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
}
