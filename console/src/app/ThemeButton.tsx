import { useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import { chooseTheme, isDark } from './theme.ts'

/** Changes between light and dark. */
export function ThemeButton() {
  const [dark, setDark] = useState(isDark)
  const change = () => {
    chooseTheme(dark ? 'light' : 'dark')
    setDark(!dark)
  }
  return (
    <button
      type="button"
      className="icon-button"
      onClick={change}
      aria-label={dark ? 'Use the light theme' : 'Use the dark theme'}
    >
      <Icon name={dark ? 'sun' : 'moon'} />
    </button>
  )
}
