import { defineConfig } from 'vite'

/**
 * Of the Vite inside of Ponder, which would watch every file here for changes that a served index never
 * takes up: a tenth of the time that it needs to come back after a crash.
 */
export default defineConfig({ server: { watch: null } })
