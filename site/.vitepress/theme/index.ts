import theme from 'vitepress/theme'
// After the theme's own style, which it changes.
import './style.css'

export default theme
