import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { openS3Store } from './store.ts'
import { createOutbound } from '../../outbound/index.ts'
import { settingsOf } from './testing/open.ts'
let mode = ''
let calls = 0
const server = createServer((q, r) => { calls++
  if (mode === 'none') return
  r.writeHead(200, { etag: '"x"', 'content-length': 5_000_000 })
  if (mode === 'stall') { r.write('abc'); return }
  r.end(Buffer.alloc(5_000_000))
})
await new Promise(r => server.listen(0, '127.0.0.1', r))
const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
const { store, close } = openS3Store(settingsOf({ port: server.address().port }), outbound)
mode='none'; let t=performance.now(); await store.get('b','k').catch(e=>console.log('none', e.code, e.message, performance.now()-t, calls))
mode='stall'; calls=0; t=performance.now(); try { const { body } = await store.get('b','k'); for await (const _ of body); } catch (e) { console.log('stall', e.code, e.message, performance.now()-t, calls) }
mode='full'; calls=0; const { body } = await store.get('b','k'); let n=0; for await (const c of body) { if (n===0) await delay(1500); n+=c.length } console.log('paused', n, calls)
const o2 = await store.get('b','k'); await delay(1500); n=0; for await (const c of o2.body) n+=c.length; console.log('unread', n, calls)
await close(); await outbound.close(); server.close(); server.closeAllConnections()
