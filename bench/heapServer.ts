import { createServer } from 'node:http'
import { heapOfData } from '../test/support/heapOfData.ts'

/** Preloaded into a measured process: answers each request at HEAP_PORT with the bytes of its heap after garbage collection. */
const port = Number(process.env.HEAP_PORT)
createServer((_, response) => response.end(String(heapOfData())))
  .listen(port, '127.0.0.1')
  .unref()
