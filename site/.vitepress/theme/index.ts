import theme from 'vitepress/theme'
import { processTerm } from './processTerm.ts'
// After the theme's own style, which it changes.
import './style.css'

type SiteData = { value: { themeConfig: Record<string, unknown> } }

export default {
  extends: theme,
  // A function in the configuration would be sent as text and evaluated, which the policy of the api refuses.
  enhanceApp({ siteData }: { siteData: SiteData }) {
    const search = { provider: 'local', options: { miniSearch: { options: { processTerm } } } }
    const { themeConfig } = siteData.value
    siteData.value = { ...siteData.value, themeConfig: { ...themeConfig, search } }
  },
}
