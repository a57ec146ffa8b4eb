import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'

const { CAUSEWAY_URL = 'http://127.0.0.1:4000', RPC_URL = 'http://127.0.0.1:8545' } = process.env
const to = (target: string) => ({ target, rewrite: (path: string) => path.slice('/api'.length) })
const proxy = { '/api': to(CAUSEWAY_URL), '/rpc': to(RPC_URL) }
const book = JSON.parse(readFileSync(process.env.SHIELD_BOOK ?? 'shield-book.json', 'utf8'))
const SHIELD = { book, signers: ['0xa1Fb9c8E66e8Cd5d8cd8C996247A7563630aad20'] } // the local operator
// Everybody who opens the page can read this key: it is only for that of a local world.
export default defineConfig({ envPrefix: 'PRIVATE_KEY', server: { proxy }, define: { SHIELD } })
