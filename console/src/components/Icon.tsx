/** Paths of 24 × 24 px, drawn as lines. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  transit: 'M4 8h15m-4-4 4 4-4 4M20 16H5m4-4-4 4 4 4',
  routes:
    'M6 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 17h7a3 3 0 0 0 3-3V9M16 7H9a3 3 0 0 0-3 3v5',
  earn: 'M4 19h16M6 16v-4M11 16V8M16 16V5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 13l4 4L19 7',
  key: 'M14 10a4 4 0 1 0-3.5 3.97L12 15.5h2V18h2.5v2.5H20V17l-6.2-6.2',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  alert: 'M12 4 2.5 20h19zM12 10v4M12 17v.5',
  empty: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20a8 8 0 0 1 16 0',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14a6.5 6.5 0 0 1 3.5 5.5',
  leave: 'M14 5H6v14h8M10 12h11M17 8l4 4-4 4',
  webhook: 'M12 9a3 3 0 1 0-3-3M9 6l3 6-5 8M7 20a3 3 0 1 1 0-6M12 12l7 2a3 3 0 1 1-2 5H8',
  events: 'M5 6h14M5 12h14M5 18h9',
  usage: 'M4 19h16M5 15l5-6 4 4 5-8',
  log: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3',
  plus: 'M12 5v14M5 12h14',
  inbox: 'M12 3v10m-4-4 4 4 4-4M4 14v6h16v-6',
  play: 'M7 5v14l11-7z',
  stop: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM6 6l12 12',
  layers: 'M12 3 3 8l9 5 9-5zM3 12l9 5 9-5M3 16l9 5 9-5',
  keeper: 'M4 7h13a3 3 0 0 1 3 3v9H4zM4 7V5h12v2M16 13h.5',
  book: 'M5 4h10a4 4 0 0 1 4 4v12H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
} as const

export type IconName = keyof typeof PATHS

/** An icon beside a text, so that screen readers leave it out. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
