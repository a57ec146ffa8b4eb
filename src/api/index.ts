import { Hono } from 'hono'

/** Ponder asks for a server; ours is in api/. */
export default new Hono()
