import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 760px)')

function subscribe(onChange: () => void) {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}

/** Whether the window is too narrow for columns. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
