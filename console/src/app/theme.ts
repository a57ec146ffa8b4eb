type Theme = 'light' | 'dark'

const KEY = 'causeway.theme'
const SYSTEM = matchMedia('(prefers-color-scheme: dark)')

/** The theme that was chosen here; null if none was. */
function storedTheme(): Theme | null {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : null
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme(theme)
}

/** Charts draw on a canvas and read their colours anew. */
export const THEME_CHANGED = 'causeway:theme'

function applyTheme(theme: Theme | null): void {
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  dispatchEvent(new Event(THEME_CHANGED))
}

/** Applies the chosen theme, and follows the system's where none was chosen. */
export function followTheme(): void {
  applyTheme(storedTheme())
  SYSTEM.addEventListener('change', () => applyTheme(storedTheme()))
}

export function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : SYSTEM.matches
}
