import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * Bytes of this process's heap after garbage collection. Machine code is not counted: V8 compiles hot functions for as long
 * as they get hotter.
 */
export function heapOfData(): number {
  collect()
  const data = getHeapSpaceStatistics().filter(({ space_name }) =>
    ['new_space', 'old_space', 'large_object_space'].includes(space_name),
  )
  return data.reduce((bytes, { space_used_size }) => bytes + space_used_size, 0)
}
