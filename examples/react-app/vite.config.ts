import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

const { CAUSEWAY_URL = 'http://127.0.0.1:4000', RPC_URL = 'http://127.0.0.1:8545' } = process.env
const to = (target: string) => ({ target, rewrite: (path: string) => path.slice('/api'.length) })
const proxy = { '/api': to(CAUSEWAY_URL), '/rpc': to(RPC_URL) }
const { SHIELD_BOOK = 'shield-book.json', SHIELD_SIGNER, SHIELD_ENVIRONMENT } = process.env
const book = JSON.parse(readFileSync(SHIELD_BOOK, 'utf8'))
const SHIELD = { book, signers: [SHIELD_SIGNER], environment: SHIELD_ENVIRONMENT }
// Everybody who opens the page can read this key: it is only for that of a local world.
export default defineConfig({ envPrefix: 'PRIVATE_KEY', server: { proxy }, define: { SHIELD } })
